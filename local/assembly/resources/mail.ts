/** SES configuration sets, and the topics that they publish events to. */
import * as z from 'zod';
import { optional, partOfStack, physicalName, type ResourceType, resourceType } from '../resource-type.ts';

const planConfigurationSet = resourceType(
  z.strictObject({ Name: optional(z.string()) }),
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
      Enabled: optional(z.literal(true)),
      MatchingEventTypes: z.array(event),
      SnsDestination: z.strictObject({ TopicARN: z.string() }),
    }),
  }),
  (properties, place) => {
    const { MatchingEventTypes: events, SnsDestination } = properties.EventDestination;
    const name = properties.ConfigurationSetName;
    const set = partOfStack(place.plan.configurationSets.get(name), `The configuration set ${name}`);
    set.destinations.push({ topicArn: SnsDestination.TopicARN, events });
    return { ref: place.id };
  },
);

export const MAIL_TYPES: Record<string, ResourceType> = {
  'AWS::SES::ConfigurationSet': planConfigurationSet,
  'AWS::SES::ConfigurationSetEventDestination': planEventDestination,
};
