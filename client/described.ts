import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Puts the contract's words in front of the members of types, for editors to show. */

interface Words {
  description: string;
  deprecated?: boolean;
}

type Fields = Readonly<Record<string, Words>>;

interface Contract {
  components: { schemas: Readonly<Record<string, { properties?: Fields }>> };
  paths: Readonly<Record<string, Readonly<Record<string, { parameters?: (Words & { name: string })[] }>>>>;
}

const OPENAPI = join(import.meta.dirname, '../docs/openapi.json');

/** The fields of each object, and the parameters of each call; the fewest first. */
function fieldsOf({ components, paths }: Contract): Fields[] {
  const calls = Object.values(paths).flatMap((path) => Object.values(path));
  return [
    ...Object.values(components.schemas).map(({ properties = {} }) => properties),
    ...calls.map(({ parameters = [] }) => Object.fromEntries(parameters.map((each) => [each.name, each]))),
  ].toSorted((one, other) => Object.keys(one).length - Object.keys(other).length);
}

const FIELDS = fieldsOf(JSON.parse(readFileSync(OPENAPI, 'utf8')));

const nameOf = ({ name }: ts.TypeElement): string => (name && ts.isIdentifier(name) ? name.text : '');

/** The words for an object are those of the smallest one in the contract that has all its members. */
export function describeMembers(node: ts.Node): void {
  if (ts.isTypeLiteralNode(node)) {
    const names = node.members.map(nameOf);
    const fields = FIELDS.find((each) => names.every((name) => name in each));
    if (!fields) throw new Error(`The contract has no words for ${names.join(', ')}.`);
    for (const member of node.members) {
      const { description, deprecated } = fields[nameOf(member)] ?? { description: '' };
      const text = `* ${deprecated ? '@deprecated ' : ''}${description} `;
      ts.addSyntheticLeadingComment(member, ts.SyntaxKind.MultiLineCommentTrivia, text, true);
    }
  }
  ts.forEachChild(node, describeMembers);
}
