/** SES configuration sets, and the topics that they publish events to. */
import * as z from 'zod';
import {
  boolean,
  ignored,
  optional,
  partOfStack,
  physicalName,
  type ResourceType,
  resourceType,
} from '../resource-type.ts';

const planConfigurationSet = resourceType(
  z.strictObject({
    Name: optional(z.string()),
    ...ignored('DeliveryOptions', 'ReputationOptions', 'SuppressionOptions', 'Tags', 'VdmOptions'),
  }),
  (properties, place) => {
    const name = properties.Name ?? physicalName(place);
    place.plan.configurationSets.set(name, { name, destinations: [] });
    return { ref: name };
  },
);

const event = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['bounce', 'complaint'], { error: 'only the events bounce and complaint are implemented' }));

const planEventDestination = resourceType(
  z.strictObject({
    ConfigurationSetName: z.string(),
    EventDestination: z.strictObject({
      Enabled: optional(boolean),
      MatchingEventTypes: z.array(event),
      SnsDestination: z.strictObject({ TopicARN: z.string() }),
      ...ignored('Name'),
    }),
  }),
  (properties, place) => {
    const { Enabled, MatchingEventTypes: events, SnsDestination } = properties.EventDestination;
    const name = properties.ConfigurationSetName;
    const set = partOfStack(place.plan.configurationSets.get(name), `The configuration set ${name}`);
    if (Enabled !== false) set.destinations.push({ topicArn: SnsDestination.TopicARN, events });
    return { ref: place.id, Id: place.id };
  },
);

export const MAIL_TYPES: Record<string, ResourceType> = {
  'AWS::SES::ConfigurationSet': planConfigurationSet,
  'AWS::SES::ConfigurationSetEventDestination': planEventDestination,
};
