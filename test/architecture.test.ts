import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { importsIn, type Import } from './architecture/imports.ts'
import { mostPast, past } from './architecture/past.ts'
import { doors as entryPoints } from './surface/doors.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The files that may import each external package; other code uses the plugin that owns the file. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'find-my-way': ['kernel/router.ts'],
  pino: ['kernel/log.ts'],
  'lru-cache': ['kernel/std/index.ts'],
  '@fastify/busboy': ['kernel/http/multipart.ts'],
  undici: ['plugins/outbound/client.ts'],
  '@anthropic-ai/sdk': ['plugins/models/anthropic/client.ts'],
  openai: ['plugins/models/openai/client.ts'],
  '@modelcontextprotocol/server': ['plugins/mcp/server.ts'],
  '@valibot/to-json-schema': ['kernel/json-schema/convert.ts'],
  parse5: [
    'plugins/content/html.ts',
    'plugins/studio/app/fields/rich/html.ts',
    'plugins/studio/app/fields/rich/pasted.ts',
    'plugins/studio/app/fields/rich/pasted-lists.ts',
    'plugins/files/html-tokens.ts',
  ],
  'markdown-it': [
    'plugins/demo-site/render/markdown.ts',
    'plugins/agents/jira/to-adf.ts',
    'plugins/studio/app/fields/rich/inline-read.ts',
  ],
  'playwright-core': ['plugins/preview/browser.ts'],
  aws4fetch: ['plugins/blobs/s3/client.ts'],
  sharp: ['plugins/media/sharp.ts'],
  'prom-client': ['plugins/metrics/exposition.ts'],
  '@opentelemetry/api': ['plugins/tracing/spans.ts'],
  standardwebhooks: ['plugins/webhooks/send.ts'],
  'file-type': ['plugins/media/identify.ts'],
  'image-size': ['plugins/media/identify.ts'],
  // The worker is a thread of its own, and loads nothing else.
  'node:sqlite': ['plugins/store/connection.ts', 'plugins/store/integrity-worker.ts'],
  pg: ['plugins/store/postgres/connections.ts'],
  cosmiconfig: ['config/load.ts'],
  // Programs: `gitIn`, the boxes of the onboarding agent and checkouts decide what they know and may do.
  'node:child_process': [
    'plugins/publish/targets/git-run.ts',
    'plugins/processes/programs.ts',
    'plugins/processes/run-command.ts',
    'config/cli/register/registration.ts',
    'config/cli/edit/open-browser.ts', // A program of the system shows an address.
    'config/build.ts',
  ],
  'eventsource-parser': ['plugins/client/client.ts'],
  'jsonc-parser': ['plugins/site/file-form.ts', 'plugins/files/json.ts'],
  yaml: ['plugins/files/yaml.ts', 'plugins/files/yaml-spelling.ts'],
  'toml-eslint-parser': ['plugins/files/toml.ts'],
  'mdast-util-directive': ['plugins/files/markdown.ts'],
  'mdast-util-from-markdown': ['plugins/files/markdown.ts'],
  'mdast-util-gfm': ['plugins/files/markdown.ts'],
  'mdast-util-mdx': ['plugins/files/markdown.ts'],
  'micromark-extension-directive': ['plugins/files/markdown.ts'],
  'micromark-extension-gfm': ['plugins/files/markdown.ts'],
  'micromark-extension-mdxjs': ['plugins/files/markdown.ts'],
  chokidar: ['config/cli/edit/watch.ts'],
  'http-proxy-3': ['plugins/checkout/proxy/proxy.ts'],
  rolldown: ['config/bundle.ts'],
  uplot: ['plugins/studio/app/insights/chart.tsx'],
  diff: [
    'plugins/studio/app/review/word-diff.ts',
    'plugins/files/match.ts',
    'plugins/publish/diff/line-changes.ts',
  ],
  'prosemirror-model': ['plugins/studio/app/fields/rich/schema.ts'],
  'prosemirror-schema-basic': ['plugins/studio/app/fields/rich/schema.ts'],
  'prosemirror-schema-list': [
    'plugins/studio/app/fields/rich/schema.ts',
    'plugins/studio/app/fields/rich/editor.ts',
  ],
  ...Object.fromEntries(
    ['commands', 'history', 'inputrules', 'keymap', 'state', 'view'].map((part) => [
      `prosemirror-${part}`,
      ['plugins/studio/app/fields/rich/editor.ts'],
    ]),
  ),
}
/** The schema library, which is used everywhere, and the view library of the studio. */
const everywhere = new Set(['valibot', 'preact', '@preact/signals'])

interface SourceFile {
  readonly path: string
  readonly text: string
  /** Without comments and the contents of plain strings. */
  readonly words: string
  readonly imports: readonly Import[]
}

const piece = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

function toSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const words = text.replace(piece, (_, plain: string | undefined, template: string | undefined) =>
    plain === undefined ? (template ?? ' ') : "''",
  )
  return { path, text, words, imports: importsIn(path, text) }
}

const sources = globSync('{kernel,plugins,config,test}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['test/fixtures/**'],
})
  .toSorted()
  .map(toSource)
const below = sources.filter(({ path }) => !path.startsWith('test/'))

const isRelative = (name: string): boolean => name.startsWith('.')
/** The file that a relative import names, from the root of the project. */
const target = (from: string, name: string): string => normalize(join(dirname(from), name))
/** The folders with a plugin or a port, also those in a family: `plugins/draft`, `plugins/chat/rules`. */
const rooms = new Set(
  below
    .filter(
      ({ path, words }) =>
        /^plugins\/.*\/port\.ts$/.test(path) || /^export default definePlugin\b/m.test(words),
    )
    .map(({ path }) => dirname(path)),
)
/** The room of a file. */
function room(path: string): string {
  const [plugins, family, member] = path.split('/')
  const inFamily = `${plugins}/${family}/${member}`
  return rooms.has(inFamily) ? inFamily : `${plugins}/${family}`
}
const isPort = (path: string): boolean => path.endsWith('/port.ts') && rooms.has(dirname(path))

/** The page of the studio: a program for browsers, which uses the service only as clients do. */
const isStudioPage = (path: string): boolean => path.startsWith('plugins/studio/app/')

/**
 * The client of the service, and what it shares with the studio: rules for slugs, addresses, paths and rich
 * text in words, names of settings, and what is not published. Tabs of the studio have the locks of those of
 * a website.
 */
const sharedWithStudio = [
  'plugins/client/client.ts',
  'plugins/content/page-address.ts',
  'plugins/content/markdown-text.ts',
  'plugins/content/plain-object.ts',
  'plugins/content/setting-names.ts',
  'plugins/content/slugs.ts',
  'plugins/content/unpublished.ts',
  'plugins/site/browser/locks.ts',
]

/** Whether a file lists what tests use of the inside of its room. */
const isDoorForTests = (path: string): boolean => /^plugins\/.+\/testing\.ts$/.test(path)

/** Whether a file may import another file of the project. */
function mayImport(from: string, to: string): boolean {
  const floor = from.split('/')[0]
  if (isStudioPage(from)) return isStudioPage(to) || sharedWithStudio.includes(to)
  if (isStudioPage(to) || isDoorForTests(to)) return floor === 'test'
  if (to.startsWith('test/')) return floor === 'test'
  if (from === 'plugins/client/service-routes.ts' && /^plugins\/.+\/routes\.ts$/.test(to)) return true
  if (to === 'package.json') return from === 'kernel/package-info.ts'
  if (floor === 'kernel') return to.startsWith('kernel/')
  if (floor !== 'plugins') return true
  if (to === 'kernel/index.ts' || room(to) === room(from) || room(to) === 'plugins/content') return true
  return isPort(to)
}

t.test('imports go down: kernel, then plugins by their ports, then config, then test', (t) => {
  const up = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ name }) => isRelative(name) && !mayImport(path, target(path, name)))
      .map(({ name }) => `${path} imports ${target(path, name)}`),
  )
  t.strictSame(up, [])
  t.ok(below.length > 50, 'the files were found')
  t.ok(below.flatMap(({ imports }) => imports).length > 200, 'the imports were found')
  t.end()
})

/** What rooms between content and publishing may import besides content and the kernel. */
const importsOf: Readonly<Record<string, readonly string[]>> = {
  'plugins/content/merge': [],
  'plugins/baseline': ['outbound', 'scope', 'sites', 'store'],
  'plugins/follow': ['baseline', 'draft', 'scope', 'store'],
}

t.test('a merge knows content only, a baseline no draft, and a follow no publish', (t) => {
  for (const [folder, others] of Object.entries(importsOf)) {
    const files = below.filter(({ path }) => path.startsWith(`${folder}/`))
    const allowed = ['kernel', 'plugins/content', folder, ...others.map((name) => `plugins/${name}`)]
    const imported = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ name }) => (isRelative(name) ? [`${path} imports ${target(path, name)}`] : [])),
    )
    t.ok(imported.length > 10, `the imports of ${folder} were found`)
    t.strictSame(
      imported.filter((each) => !allowed.some((name) => each.includes(` imports ${name}/`))),
      [],
    )
  }
  t.end()
})

t.test('tests reach into a room by its port and its door for tests, besides a listed few', (t) => {
  const open = new Set(entryPoints().map(({ file }) => file))
  const isOpen = (to: string, takes: readonly string[]): boolean =>
    open.has(to) ||
    isDoorForTests(to) ||
    room(to) === 'plugins/content' ||
    (rooms.has(dirname(to)) && to.endsWith('/index.ts') && takes.every((name) => name === 'default'))
  const listed = (to: string): string =>
    Object.keys(past).find((entry) => entry.endsWith('/') && to.startsWith(entry)) ?? to
  const imports = sources
    .filter(({ path }) => path.startsWith('test/'))
    .flatMap(({ path, imports }) => imports.map((each) => ({ ...each, to: target(path, each.name) })))
    .filter(({ name, to }) => isRelative(name) && to.startsWith('plugins/'))
  const inside = imports.filter(({ to, takes }) => !isOpen(to, takes)).map(({ to }) => listed(to))
  t.strictSame([...new Set(inside)].toSorted(), Object.keys(past).toSorted(), 'the list is exact')
  t.ok(inside.length <= mostPast, `${inside.length} imports, and ${mostPast} may be`)

  const used = new Set(imports.flatMap(({ to, takes }) => takes.map((name) => `${to}: ${name}`)))
  const offered = below
    .filter(({ path }) => isDoorForTests(path))
    .flatMap(({ path, imports }) => imports.flatMap(({ takes }) => takes.map((name) => `${path}: ${name}`)))
  t.strictSame(
    offered.filter((name) => !used.has(name)),
    [],
    'a door for tests has nothing that no test uses',
  )
  t.end()
})

/**
 * The imports between the files and folders of each folder, types included; a folder stands for all files in
 * it.
 */
function neighboursIn(
  files: readonly SourceFile[],
): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const folders = new Map<string, Map<string, Set<string>>>()
  for (const { path, imports } of files) {
    for (const { name } of imports.filter((each) => isRelative(each.name))) {
      const [from, to] = [path.split('/'), target(path, name).split('/')]
      const depth = from.findIndex((part, at) => part !== to[at])
      const [mine = '', theirs = ''] = [from[depth], to[depth]]
      const folder = from.slice(0, depth).join('/')
      const entries = folders.get(folder) ?? new Map<string, Set<string>>()
      folders.set(folder, entries.set(mine, (entries.get(mine) ?? new Set()).add(theirs)))
    }
  }
  return folders
}

/**
 * The entries in cycles, and those that import them: what is left after removing entries that import none of
 * the rest.
 */
function cycleIn(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Map([...imports].map(([from, to]) => [from, new Set(to)]))
  for (;;) {
    const free = [...left].filter(([, to]) => [...to].every((each) => !left.has(each))).map(([from]) => from)
    if (free.length === 0) return [...left.keys()]
    for (const each of free) left.delete(each)
  }
}

t.test('no sibling files or folders import each other in a cycle', (t) => {
  t.strictSame(
    cycleIn(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c'])],
        ['c', new Set(['b'])],
      ]),
    ),
    ['a', 'b', 'c'],
  )
  t.strictSame(
    cycleIn(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c'])],
      ]),
    ),
    [],
  )
  const cycles = new Map([...neighboursIn(below)].map(([folder, imports]) => [folder, cycleIn(imports)]))
  t.strictSame(
    [...cycles].filter(([, cycle]) => cycle.length > 0),
    [],
  )
  t.end()
})

t.test('a store of the studio that one view uses stands beside this view', (t) => {
  const app = 'plugins/studio/app/'
  const uses = below.flatMap(({ path, imports }) =>
    imports.map(({ name }) => ({ path, to: target(path, name) })),
  )
  const byStore = Map.groupBy(uses, ({ to }) => to)
  const usersOf = (store: string): ReadonlySet<string> =>
    new Set(
      (byStore.get(store) ?? [])
        .map(({ path }) => path.slice(app.length).split('/'))
        .flatMap(([folder = '', file]) => (file === undefined ? [] : [folder])),
    )
  const stores = below.map(({ path }) => path).filter((path) => path.startsWith(`${app}stores/`))
  t.ok(stores.length > 20, 'the stores were found')
  t.strictSame(
    stores
      .map((store) => [store, ...usersOf(store)])
      .filter(([, ...users]) => users.length === 1 && users[0] !== 'stores'),
    [],
  )
  t.end()
})

t.test('adapters have no schema of entries: one reader reads those of every source', (t) => {
  const schemaOfEntry = /\b(?:slug|title|position|document|updatedAt|blocks)['"]?\s*:\s*v\./
  t.match('v.object({ title: v.string() })', schemaOfEntry)
  const adapters = below.filter(({ path }) => path.startsWith('plugins/site/adapters/'))
  t.ok(adapters.length > 6, 'the adapters were found')
  t.strictSame(
    adapters.filter(({ words }) => schemaOfEntry.test(words)).map(({ path }) => path),
    [],
  )
  t.end()
})

t.test('what stands in content from outside is known in one place', (t) => {
  const places: readonly (readonly [what: string, text: RegExp, path: string])[] = [
    ['what is a number on a site', /\$numbers\b|rawJSON\(/, 'plugins/content/numbers.ts'],
    ['the nodes of a ticket', /\b(?:inlineCard|taskItem|hardBreak)\b/, 'plugins/agents/jira/read-adf.ts'],
    ['the encodings of a text', /windows-1252|utf-16[bl]e/, 'plugins/media/text.ts'],
    ['the types of a file by its name', /\bjfif\b/, 'plugins/media/intake.ts'],
    ['addresses without a page', /\b_server-islands\b|\/humans\.txt/, 'plugins/content/slugs.ts'],
    ['what git prints of a failure', /hook declined|empty ident/, 'plugins/publish/targets/git-failure.ts'],
  ]
  for (const [what, text, place] of places)
    t.strictSame(
      below.filter((each) => text.test(each.text)).map(({ path }) => path),
      [place],
      what,
    )
  t.end()
})

t.test('each external package is imported in one place only', (t) => {
  const packageOf = (name: string): string =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/')
  const stray = below.flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ name, isType }) => !isRelative(name) && !isType && (!name.startsWith('node:') || name in doors),
      )
      .map(({ name }) => packageOf(name))
      .filter((name) => !everywhere.has(name) && !doors[name]?.includes(path))
      .map(
        (name) =>
          `${path} imports ${name}, which belongs in ${doors[name]?.join(' or ') ?? 'no listed file'}`,
      ),
  )
  t.strictSame(stray, [])
  t.end()
})

/** Code that is confined to some files, so that tests can control it and readers find it. */
const confined: readonly {
  readonly what: string
  readonly words: RegExp
  readonly only: (path: string) => boolean
}[] = [
  { what: 'process.env', words: /\bprocess\.env\b|\bprocess\[/, only: (path) => path === 'config/env.ts' },
  {
    what: 'the time',
    words: /\bDate\.now\(|\bnew Date\(\s*\)|\bDate\(\s*\)/,
    only: (path) => path === 'kernel/clock.ts' || isStudioPage(path),
  },
  {
    what: "the clock of this machine, in place of the service's, which has the time that processes share",
    words: /\bsystemClock\b/,
    only: (path) =>
      /^(?:kernel|config)\//.test(path) ||
      path === 'plugins/store/index.ts' ||
      // A site has no database.
      path === 'plugins/site/draft/access.ts',
  },
  {
    what: 'a random name',
    words: /\brandomUUID\b/,
    only: (path) => path === 'kernel/clock.ts' || isStudioPage(path),
  },
  {
    what: 'an address that leads a visitor on, in a header: locationHeader encodes it',
    words: /[{,]\s*location\s*[:,}](?! string)/,
    only: (path) =>
      path === 'plugins/content/site-address.ts' ||
      // A relative address, of ASCII.
      path === 'config/cli/serve/front-page.ts' ||
      isStudioPage(path),
  },
  {
    what: 'a comparison of addresses by their spelling: sameAddress knows which are one',
    words:
      /(?<!typeof )\b\w*(?:[uU]rl|[aA]ddress|[hH]ref) [!=]== (?!undefined|null|''|home\b)|[!=]== [\w.?]*(?:[uU]rl|[aA]ddress|[hH]ref)\b(?![.?])|\.includes\(\w*(?:[uU]rl|[aA]ddress|[hH]ref)\)/,
    only: (path) =>
      [
        'plugins/content/addresses.ts', // What is behind the query decides there.
        'plugins/content/links.ts', // Whether a text was changed.
        'plugins/files/links.ts', // Whether a text was changed.
        'plugins/store/database-path.ts', // Whether it has spaces around it.
        'plugins/preview/camera.ts', // Both are addresses of one browser.
        'plugins/chat/rules/references.ts', // Words of a message.
        'plugins/agents/jira/read-adf.ts', // Whether neighbouring texts are one link, as it is written.
      ].includes(path) ||
      path.startsWith('config/') ||
      isStudioPage(path),
  },
  {
    what: 'a stream of a page: the pages and tabs of a browser share it, and take turns',
    words: /\bnew EventSource\b|\.stream\(/,
    only: (path) =>
      ['plugins/site/browser/draft-stream.ts', 'plugins/studio/app/service.ts'].includes(path) ||
      !/^plugins\/(?:site\/browser|studio\/app)\//.test(path),
  },
  {
    what: 'an answer of a publish handler: storingHandler reads back what was stored before it',
    words: /\bok: true, slugs\b/,
    only: (path) => path === 'plugins/site/publish/storing.ts',
  },
  {
    what: 'a failed publish by git: createBroken names its cause, and masks what git has printed',
    words: /\bfailed\(/,
    only: (path) =>
      path === 'plugins/publish/targets/git-failure.ts' || !path.startsWith('plugins/publish/targets/git'),
  },
  {
    what: 'the content file in a publish: git reads what it has, without line ends and filters',
    words: /\breadFile(?:Sync)?\(/,
    only: (path) =>
      // What git does not have yet, and content without git.
      /^plugins\/(?:publish\/targets\/git(?:-branch)?|baseline\/sources)\.ts$/.test(path) ||
      !/^plugins\/(?:publish|baseline)\//.test(path),
  },
  {
    what: 'a time of a client by a schema of the library: Time reads it, in each form of ISO 8601',
    words: /\bv\.iso\w+\(/,
    only: () => false,
  },
  {
    what: 'a default export',
    words: /^export default\b|\bas default *[,}]/m,
    only: (path) => path.endsWith('/index.ts') && rooms.has(dirname(path)),
  },
]

t.test('environment, time, random names and default exports are where they belong', (t) => {
  for (const { what, words, only } of confined) {
    t.strictSame(
      below.filter(({ path, words: text }) => words.test(text) && !only(path)).map(({ path }) => path),
      [],
      what,
    )
  }
  t.end()
})

t.test('a port has types, refs and schemas, and behaviour only of other files', (t) => {
  const ports = below.filter(({ path }) => isPort(path))
  const behaviour = /\b(?:function|class)\b|^(?:export )?const \w+ = (?:async )?[(<]/m
  t.ok(ports.length > 20, 'the ports were found')
  t.strictSame(
    ports.filter(({ words }) => behaviour.test(words)).map(({ path }) => path),
    [],
  )
  t.end()
})

t.test('optional packages are imported inside try: else bundlers of websites refuse a missing one', (t) => {
  const { peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const optional = Object.keys(peerDependenciesMeta)
  const isInTry = (before: string): boolean => before.split('\n').slice(-4).join('').includes('try {')
  const bare = below.flatMap(({ path, text, imports }) =>
    imports
      .filter(({ name }) => optional.some((each) => name.startsWith(each)))
      .filter(({ calledAt }) => calledAt !== undefined && !isInTry(text.slice(0, calledAt)))
      .map(({ name }) => `${path} imports ${name}`),
  )
  t.strictSame(bare, [])
  t.end()
})

t.test('relative imports name their file', (t) => {
  const vague = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ name }) => isRelative(name) && !/\.(tsx?|mjs|json)$/.test(name))
      .map(({ name }) => `${path} imports ${name}`),
  )
  t.strictSame(vague, [])
  t.end()
})
