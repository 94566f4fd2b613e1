import { ERRORS, type ErrorCode } from '../../shared/contract/errors.ts';
import { Code, Example } from './code.tsx';
import { callExamples } from './examples.ts';
import { FieldList, Inline, ObjectFields, ObjectLink, Words } from './fields.tsx';
import {
  CALLS,
  type Call,
  exampleOf,
  nameOf,
  OPEN_API,
  type Operation,
  resolved,
  type Schema,
  schemaOf,
  slug,
} from './openapi.ts';

/** The pages of the reference, from the OpenAPI document. */

const Endpoint = ({ method, path }: Call) => (
  <p class="call">
    <span class="method">{method}</span> <code>{path}</code>
  </p>
);

const Part = ({ id, title, children }: { id: string; title: string; children: unknown }) => (
  <>
    <h3 id={id}>
      <a href={`#${id}`}>{title}</a>
    </h3>
    {children}
  </>
);

const PLACES = { path: 'in the path', query: 'in the query', header: 'header' };

function Parameters({ operationId, parameters }: Call) {
  if (parameters.length === 0) return null;
  return (
    <Part id={`${operationId}-parameters`} title="Parameters">
      <FieldList
        fields={parameters.map(({ name, schema, description, required, in: place }) => ({
          id: `${operationId}.${name}`,
          name,
          schema,
          description,
          notes: [PLACES[place], ...(required ? ['required'] : [])],
        }))}
      />
    </Part>
  );
}

function Body({ operationId, requestBody }: Call) {
  const schema = schemaOf(requestBody?.content);
  if (!schema) return null;
  return (
    <Part id={`${operationId}-body`} title="Body">
      {!requestBody?.required && <p>It may be left out.</p>}
      <ObjectFields schema={resolved(schema)} prefix={`${operationId}.body`} isInput />
    </Part>
  );
}

const isGood = (status: string) => Number(status) < 400;

function Answer({ operationId, responses }: Call) {
  return (
    <Part id={`${operationId}-answer`} title="Answer">
      {Object.entries(responses)
        .filter(([status]) => isGood(status))
        .map(([status, { description, content }]) => {
          const schema = schemaOf(content);
          return (
            <>
              <p>
                <strong>{status}</strong> <Inline text={description} />{' '}
                {schema && nameOf(schema) && (
                  <>
                    Fields: <ObjectLink name={nameOf(schema) ?? ''} />.
                  </>
                )}
                {content?.['application/pdf'] && 'A PDF.'}
              </p>
              {schema && exampleOf(schema) !== undefined && <Example value={exampleOf(schema)} />}
            </>
          );
        })}
    </Part>
  );
}

/** A code with the status that it has in answers to this call: the gateway refuses a large body with another. */
const refusalsOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => !isGood(status))
    .flatMap(([status, { content }]) =>
      Object.keys(content?.['application/json']?.examples ?? {}).map((code) => ({
        status,
        code: code as ErrorCode,
      })),
    );

function Errors(call: Call) {
  const refusals = refusalsOf(call);
  return (
    <Part id={`${call.operationId}-errors`} title="Errors">
      <details>
        <summary>{refusals.length} errors</summary>
        <ul>
          {refusals.map(({ status, code }) => (
            <li>
              {status}{' '}
              <a href={`/docs/errors#${code}`}>
                <code>{code}</code>
              </a>{' '}
              <Inline text={ERRORS[code][1]} />
            </li>
          ))}
        </ul>
      </details>
    </Part>
  );
}

const CallSection = (call: Call) => (
  <section class="endpoint">
    <h2 id={call.operationId}>
      <a href={`#${call.operationId}`}>{call.summary}</a>
    </h2>
    <Endpoint {...call} />
    <Words text={call.description} />
    <Parameters {...call} />
    <Body {...call} />
    <Part id={`${call.operationId}-examples`} title="Examples">
      {callExamples(call.operationId).map(({ code, language }) => (
        <Code code={code} language={language} />
      ))}
    </Part>
    <Answer {...call} />
    <Errors {...call} />
  </section>
);

const callsOf = (tag: string): Call[] => CALLS.filter(({ tags }) => tags[0] === tag);

export const TagPage = ({ tag }: { tag: string }) => (
  <>
    {callsOf(tag).map((call) => (
      <CallSection {...call} />
    ))}
  </>
);

export const ReferencePage = () => (
  <>
    <p>
      Every call goes to the address of the service and carries an API key:{' '}
      <code>Authorization: Bearer KEY</code>. Bodies and answers are JSON; times are in UTC. Tools read all of
      it from <a href="/api/v1/openapi.json">the OpenAPI document</a>. The examples are run against the
      service by a test: <code>URL</code> is its address, <code>KEY</code> an API key.
    </p>
    {OPEN_API.tags.map(({ name, description }) => (
      <section>
        <h2 id={slug(name)}>
          <a href={`/docs/reference/${slug(name)}`}>{name}</a>
        </h2>
        <Words text={description} />
        <ul class="calls">
          {callsOf(name).map((call) => (
            <li>
              <span class="method">{call.method}</span>{' '}
              <a href={`/docs/reference/${slug(name)}#${call.operationId}`}>{call.summary}</a>
              <code>{call.path}</code>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);

const objects = Object.entries(OPEN_API.components.schemas);

const namesIn = (part: unknown): string[] =>
  [...JSON.stringify(part ?? null).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name);

const bodies = CALLS.flatMap(({ requestBody }) => namesIn(requestBody));
/** The bodies that clients send, and the objects in them. */
const inputs = new Set([...bodies, ...bodies.flatMap((name) => namesIn(OPEN_API.components.schemas[name]))]);

const ObjectSection = ({ name, schema }: { name: string; schema: Schema }) => (
  <section>
    <h2 id={name}>
      <a href={`#${name}`}>{name}</a>
    </h2>
    <Words text={schema.description ?? ''} />
    <ObjectFields schema={schema} prefix={name} isInput={inputs.has(name)} />
  </section>
);

export const ObjectsPage = () => (
  <>
    {objects.map(([name, schema]) => (
      <ObjectSection name={name} schema={schema} />
    ))}
  </>
);

export const EventsPage = () => (
  <>
    <p>
      The service posts each event to your <a href="/docs/webhooks">webhook endpoints</a>, in an envelope of{' '}
      <code>id</code>, <code>type</code>, <code>created_at</code> and <code>data</code>.
    </p>
    {Object.entries(OPEN_API.webhooks).map(([type, { post }]) => {
      const envelope = resolved(schemaOf(post.requestBody?.content) ?? {});
      const data = envelope.properties?.data ?? {};
      return (
        <section>
          <h2 id={type}>
            <a href={`#${type}`}>{type}</a>
          </h2>
          <p>{post.summary}.</p>
          <Words text={post.description} />
          <ObjectFields schema={resolved(data)} prefix={type} />
          <Example value={exampleOf(envelope)} />
        </section>
      );
    })}
  </>
);
