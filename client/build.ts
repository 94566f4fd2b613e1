/** `npm run build -w client`: writes what is published into `dist/`, code by esbuild and types by TypeScript. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { describeMembers } from './described.ts';

const HERE = import.meta.dirname;
const ROOT = dirname(HERE);
const DIST = join(HERE, 'dist');
const TYPES = join(DIST, 'types');
/** Its types are made from zod schemas, which would bring zod along. They are written out instead. */
const FROM_CONTRACT = join(HERE, 'src/types.ts');
const ENTRIES = ['src/index.ts', 'src/node.ts', 'verifier/index.ts'].map((entry) => join(HERE, entry));

const DECLARED = ['client', 'shared/sealing'];

const COMMON = { bundle: true, format: 'esm', target: 'es2023', metafile: true, outdir: DIST } as const;

/** Bundles the entries. Returns the files that went in. */
async function bundle(): Promise<string[]> {
  const [index = '', node = '', verifier = ''] = ENTRIES;
  const command = join(HERE, 'command/main.ts');
  const made = await Promise.all([
    build({
      ...COMMON,
      entryPoints: { index, verifier },
      platform: 'neutral',
      mainFields: ['module'],
    }),
    build({ ...COMMON, entryPoints: { node, command }, platform: 'node' }),
  ]);
  return made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** Of this package, and of each that is bundled: their licences ask for it. */
function writeLicences(inputs: readonly string[]): void {
  const bundled = inputs.flatMap((file) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const files = ['', ...new Set(bundled)];
  const texts = files.map((folder) => `${folder}\n${readFileSync(join(ROOT, folder, 'LICENSE'), 'utf8')}`);
  write(join(DIST, 'LICENSES.txt'), texts.join('\n').trimStart());
}

function declare(): void {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const program = ts.createProgram(ENTRIES, {
    ...options,
    noEmit: false,
    incremental: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir: TYPES,
  });
  const written = join(TYPES, relative(ROOT, FROM_CONTRACT).replace('.ts', '.d.ts'));
  program.emit(undefined, (file, text) => {
    if (DECLARED.some((folder) => file.startsWith(join(TYPES, folder))))
      write(file, file === written ? typesOf(program, FROM_CONTRACT) : importable(text));
  });
}

/** A declaration names the file that is there beside it. */
const importable = (text: string) => text.replaceAll(/(['"]\.[^'"]+)\.ts(?=['"])/g, '$1.js');

const FLAGS =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/** Every type that a file exports, as structure with the contract's words. */
function typesOf(program: ts.Program, file: string): string {
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing.`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) => {
      const type = checker.typeToTypeNode(checker.getDeclaredTypeOfSymbol(symbol), undefined, FLAGS);
      if (!type) throw new Error(`${symbol.name} is not a type.`);
      describeMembers(type);
      return `export type ${symbol.name} = ${printer.printNode(ts.EmitHint.Unspecified, type, source)};\n`;
    })
    .join('');
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

rmSync(DIST, { recursive: true, force: true });
writeLicences(await bundle());
declare();
