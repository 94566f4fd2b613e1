import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountRootPrincipal,
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { accept } from './exceptions.ts';
import { sealKeyAlias, webhookSecretsAlias } from './names.ts';
import { type Options, SEAL_KEY_SPECS } from './options.ts';

/** Deleted only if the first deployment fails: nothing uses it then, and it would cost money. */
const KEPT = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

export type SecretName = 'signing' | 'origin' | 'seal' | 'testSeal' | 'timestamp';

/** The secrets of the service, the key that encrypts webhook secrets, and optionally the seal key. */
export class Secrets extends Construct {
  readonly byName: Readonly<Record<SecretName, Secret>>;
  readonly webhookKey: Key;
  /** Signs seals, if the option `sealKey` puts the key in KMS. */
  readonly sealKey: Key | undefined;

  constructor(scope: Construct, id: string, { stackName, sealKey }: Pick<Options, 'stackName' | 'sealKey'>) {
    super(scope, id);

    /** Created empty; the admin command fills it, and CloudFormation does not touch the value again. */
    const filledLater = (name: string, description: string) =>
      new Secret(this, name, { description, secretObjectValue: {}, removalPolicy: KEPT });

    this.byName = {
      signing: new Secret(this, 'Signing', {
        description: 'The root of the keys for one-time codes and list cursors',
        generateSecretString: {
          secretStringTemplate: '{}',
          generateStringKey: 'root',
          passwordLength: 64,
          excludePunctuation: true,
        },
        removalPolicy: KEPT,
      }),
      origin: new Secret(this, 'Origin', {
        description: 'What the distribution proves itself with to the functions behind it',
        generateSecretString: { passwordLength: 48, excludePunctuation: true },
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      seal: filledLater('Seal', 'The certificate and key that seal documents'),
      testSeal: filledLater('TestSeal', 'The certificate and key that seal test documents'),
      timestamp: filledLater('Timestamp', 'Timestamp authorities: their addresses, roots and how to log in'),
    };

    accept(this, {
      SMG4: 'Scheduled rotation would void codes and break seals; the admin command changes certificates and the origin secret on demand.',
    });

    this.webhookKey = new Key(this, 'WebhookKey', {
      alias: webhookSecretsAlias(stackName),
      description: 'Encrypts the secrets of webhook endpoints',
      enableKeyRotation: true,
      removalPolicy: KEPT,
      policy: keyPolicy(Stack.of(this).account),
    });

    this.sealKey =
      sealKey === 'secret'
        ? undefined
        : new Key(this, 'SealKey', {
            alias: sealKeyAlias(stackName),
            description: 'Signs the seals of documents',
            keySpec: KeySpec[SEAL_KEY_SPECS[sealKey]],
            keyUsage: KeyUsage.SIGN_VERIFY,
            removalPolicy: KEPT,
            policy: keyPolicy(Stack.of(this).account),
          });
  }
}

/** Leaves access to the account's IAM policies; denies other accounts and unencrypted calls. */
function keyPolicy(account: string): PolicyDocument {
  // In a key policy, the resource `*` means that key.
  const everyUse = { actions: ['kms:*'], resources: ['*'] };
  const deny = (sid: string, conditions: Record<string, Record<string, string>>, use = everyUse) =>
    new PolicyStatement({ sid, effect: Effect.DENY, principals: [new AnyPrincipal()], ...use, conditions });
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ sid: 'ByIamPolicies', principals: [new AccountRootPrincipal()], ...everyUse }),
      deny('OnlyEncrypted', { Bool: { 'aws:SecureTransport': 'false' } }),
      deny(
        'NoGrantsButForAwsServices',
        { BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' } },
        { actions: ['kms:CreateGrant'], resources: ['*'] },
      ),
      deny('OnlyThisAccount', {
        StringNotEquals: { 'aws:PrincipalAccount': account },
        BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
      }),
    ],
  });
}
