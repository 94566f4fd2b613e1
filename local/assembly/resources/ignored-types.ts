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
  'AWS::ApplicationAutoScaling::ScalableTarget': 'a container runs as one process',
  'AWS::ApplicationAutoScaling::ScalingPolicy': 'a container runs as one process',
  'AWS::CloudWatch::Dashboard': MONITORING,
  'AWS::EC2::InternetGateway': NETWORK,
  'AWS::EC2::Route': NETWORK,
  'AWS::EC2::RouteTable': NETWORK,
  'AWS::EC2::SecurityGroupEgress': NETWORK,
  'AWS::EC2::Subnet': NETWORK,
  'AWS::EC2::SubnetRouteTableAssociation': NETWORK,
  'AWS::EC2::VPC': NETWORK,
  'AWS::EC2::VPCEndpoint': NETWORK,
  'AWS::EC2::VPCGatewayAttachment': NETWORK,
  'AWS::ECS::Cluster': 'containers run as processes',
  'AWS::KMS::Alias': 'keys are called by their ARN',
  'AWS::Lambda::LayerVersion': 'a function that uses one is refused',
  'AWS::Logs::Delivery': LOGS,
  'AWS::Logs::DeliveryDestination': LOGS,
  'AWS::Logs::DeliverySource': LOGS,
  'AWS::Logs::LogGroup': LOGS,
  'AWS::Route53::RecordSet': 'the address is localhost',
  'Custom::S3AutoDeleteObjects': CLEANUP,
};
