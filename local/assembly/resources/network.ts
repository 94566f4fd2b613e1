/** The part of a network that has an effect here: whether a security group lets CloudFront in. */
import * as z from 'zod';
import type { IngressRule } from '../plan.ts';
import {
  ignored,
  number,
  optional,
  partOfStack,
  type ResourceType,
  resourceType,
  shortHash,
} from '../resource-type.ts';

const rule = {
  IpProtocol: z.string(),
  FromPort: optional(number),
  ToPort: optional(number),
  CidrIp: optional(z.string()),
  SourcePrefixListId: optional(z.string()),
  ...ignored('Description', 'SourceSecurityGroupId'),
};

const ingressRule = (properties: z.output<z.ZodObject<typeof rule>>): IngressRule => ({
  protocol: properties.IpProtocol,
  fromPort: properties.FromPort ?? 0,
  toPort: properties.ToPort ?? 65_535,
  prefixListId: properties.SourcePrefixListId,
  fromAnywhere: properties.CidrIp === '0.0.0.0/0',
});

const planGroup = resourceType(
  z.strictObject({
    ...ignored('GroupDescription', 'SecurityGroupEgress', 'VpcId'),
  }),
  (_properties, place) => {
    const id = `sg-${shortHash(place).slice(0, 17)}`;
    place.plan.securityGroups.set(id, []);
    return { ref: id, GroupId: id };
  },
);

const planIngress = resourceType(z.strictObject({ GroupId: z.string(), ...rule }), (properties, place) => {
  const { GroupId } = properties;
  const rules = partOfStack(place.plan.securityGroups.get(GroupId), `The security group ${GroupId}`);
  rules.push(ingressRule(properties));
  return { ref: `sgr-${shortHash(place).slice(0, 17)}` };
});

/** Stands for the id of a managed prefix list, which differs by region. */
export const prefixListId = (name: string): string => `pl-${name}`;

/** A custom resource that looks up a managed prefix list and two availability zones at deployment. */
const planLookUp = resourceType(
  z.strictObject({
    PrefixListName: z.string(),
    ...ignored('ExcludedZoneIds', 'ServiceToken', 'ServiceTimeout'),
  }),
  ({ PrefixListName }, place) => ({
    ref: place.id,
    PrefixListId: prefixListId(PrefixListName),
    Zone1: `${place.region}a`,
    Zone2: `${place.region}b`,
  }),
);

export const NETWORK_TYPES: Record<string, ResourceType> = {
  'AWS::EC2::SecurityGroup': planGroup,
  'AWS::EC2::SecurityGroupIngress': planIngress,
  'Custom::NetworkLookUp': planLookUp,
};
