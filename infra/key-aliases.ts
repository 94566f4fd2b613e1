/** The aliases of the stack's keys. */

export const webhookSecretsAlias = (stackName: string): string => `alias/${stackName}/webhook-secrets`;
export const sealKeyAlias = (stackName: string): string => `alias/${stackName}/seal`;
