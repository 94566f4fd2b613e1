/**
 * Resource types that change nothing on one machine, each with the reason. A type that is neither here nor planned is
 * refused.
 */
const observed = 'nothing is watched or alarmed on one machine';
const logs = 'logs go to files in the data folder';
const network = 'there is one machine and no network to lay out';
const protection = 'attacks from outside do not reach the loopback address';
const cleanup = 'it acts when a stack is deleted';

export const passedOverTypes: Record<string, string> = {
  'AWS::ApiGateway::Account': logs,
  'AWS::ApiGateway::Model': 'models are documentation where no validator is used',
  'AWS::ApiGateway::RequestValidator': 'a method that uses one is refused',
  'AWS::ApplicationAutoScaling::ScalableTarget': 'one process serves all',
  'AWS::ApplicationAutoScaling::ScalingPolicy': 'one process serves all',
  'AWS::CDK::Metadata': 'it counts deployments for the makers of the CDK',
  'AWS::CloudFront::KeyValueStore': 'a CloudFront function that reads one fails clearly',
  'AWS::CloudFront::MonitoringSubscription': observed,
  'AWS::CloudWatch::Alarm': observed,
  'AWS::CloudWatch::AnomalyDetector': observed,
  'AWS::CloudWatch::CompositeAlarm': observed,
  'AWS::CloudWatch::Dashboard': observed,
  'AWS::EC2::EIP': network,
  'AWS::EC2::FlowLog': network,
  'AWS::EC2::InternetGateway': network,
  'AWS::EC2::NatGateway': network,
  'AWS::EC2::PrefixList': network,
  'AWS::EC2::Route': network,
  'AWS::EC2::RouteTable': network,
  'AWS::EC2::SecurityGroup': network,
  'AWS::EC2::SecurityGroupEgress': network,
  'AWS::EC2::SecurityGroupIngress': network,
  'AWS::EC2::Subnet': network,
  'AWS::EC2::SubnetRouteTableAssociation': network,
  'AWS::EC2::VPC': network,
  'AWS::EC2::VPCEndpoint': network,
  'AWS::EC2::VPCGatewayAttachment': network,
  'AWS::ECS::Cluster': 'containers run as processes here',
  'AWS::Lambda::LayerVersion': 'a function that uses one is refused',
  'AWS::Logs::Delivery': logs,
  'AWS::Logs::DeliveryDestination': logs,
  'AWS::Logs::DeliverySource': logs,
  'AWS::Logs::LogGroup': logs,
  'AWS::Logs::MetricFilter': observed,
  'AWS::Logs::QueryDefinition': logs,
  'AWS::Logs::ResourcePolicy': logs,
  'AWS::Route53::RecordSet': 'the address is localhost here',
  'AWS::SNS::Subscription': observed,
  'AWS::SNS::Topic': observed,
  'AWS::SNS::TopicPolicy': observed,
  'AWS::SQS::QueuePolicy': 'queues are reached by the functions of the stack alone',
  'AWS::Scheduler::ScheduleGroup': 'schedules run one by one',
  'AWS::SecretsManager::RotationSchedule': 'secrets are not rotated by time here',
  'AWS::WAFv2::IPSet': protection,
  'AWS::WAFv2::LoggingConfiguration': protection,
  'AWS::WAFv2::WebACL': protection,
  'AWS::WAFv2::WebACLAssociation': protection,
  'Custom::LogRetention': logs,
  'Custom::S3AutoDeleteObjects': cleanup,
  'Custom::VpcRestrictDefaultSG': network,
};
