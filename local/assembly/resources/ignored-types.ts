/**
 * Resource types without effect on one machine, each with the reason. A type that is neither here nor implemented is
 * refused.
 */
const MONITORING = 'there is no monitoring here';
const LOGS = 'logs are files in the data folder';
const NETWORK = 'everything runs on one machine';
const CLEANUP = 'it only acts when the stack is deleted';

export const IGNORED_TYPES: Record<string, string> = {
  'AWS::ApiGateway::Account': LOGS,
  'AWS::ApiGateway::Model': 'models have no effect without a validator',
  'AWS::ApiGateway::RequestValidator': 'a method that uses one is refused',
  'AWS::ApplicationAutoScaling::ScalableTarget': 'a container runs as one process',
  'AWS::ApplicationAutoScaling::ScalingPolicy': 'a container runs as one process',
  'AWS::CDK::Metadata': 'it only counts deployments',
  'AWS::CloudFront::KeyValueStore': 'a CloudFront function that reads one fails with an error',
  'AWS::CloudFront::MonitoringSubscription': MONITORING,
  'AWS::CloudWatch::AnomalyDetector': MONITORING,
  'AWS::CloudWatch::CompositeAlarm': MONITORING,
  'AWS::CloudWatch::Dashboard': MONITORING,
  'AWS::EC2::EIP': NETWORK,
  'AWS::EC2::FlowLog': NETWORK,
  'AWS::EC2::InternetGateway': NETWORK,
  'AWS::EC2::NatGateway': NETWORK,
  'AWS::EC2::PrefixList': NETWORK,
  'AWS::EC2::Route': NETWORK,
  'AWS::EC2::RouteTable': NETWORK,
  'AWS::EC2::SecurityGroupEgress': NETWORK,
  'AWS::EC2::Subnet': NETWORK,
  'AWS::EC2::SubnetRouteTableAssociation': NETWORK,
  'AWS::EC2::VPC': NETWORK,
  'AWS::EC2::VPCEndpoint': NETWORK,
  'AWS::EC2::VPCGatewayAttachment': NETWORK,
  'AWS::ECS::Cluster': 'containers run as processes',
  'AWS::Lambda::LayerVersion': 'a function that uses one is refused',
  'AWS::Logs::Delivery': LOGS,
  'AWS::Logs::DeliveryDestination': LOGS,
  'AWS::Logs::DeliverySource': LOGS,
  'AWS::Logs::LogGroup': LOGS,
  'AWS::Logs::MetricFilter': MONITORING,
  'AWS::Logs::QueryDefinition': LOGS,
  'AWS::Logs::ResourcePolicy': LOGS,
  'AWS::Route53::RecordSet': 'the address is localhost',
  'AWS::Scheduler::ScheduleGroup': 'schedules do not depend on their group',
  'AWS::SecretsManager::RotationSchedule': 'secrets are not rotated on a schedule',
  'AWS::WAFv2::LoggingConfiguration': LOGS,
  'Custom::LogRetention': LOGS,
  'Custom::S3AutoDeleteObjects': CLEANUP,
  'Custom::VpcRestrictDefaultSG': NETWORK,
};
