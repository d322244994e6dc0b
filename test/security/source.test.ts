import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import * as v from 'valibot'
import { randomIds, systemClock } from '../../kernel/index.ts'
import { pageOf } from '../helpers/content.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'
import { createOwnFiles } from '../../plugins/publish/assets.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (name: string): string => readFileSync(root + name, 'utf8')
const sources = globSync('{kernel,plugins,config}/**/*.{ts,mjs}', { cwd: root }).toSorted()
const files = sources.map((name) => ({ name, text: read(name) }))

t.test('regular expressions built at run time are of known parts, and as fast', async (t) => {
  const made = files.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ name }) => name)
  // All but those of addresses and of escaped texts are built from constants; those of wishes read 300 letters, of wordings and translated 200.
  t.strictSame(made, [
    'plugins/agents/jira/comments.ts',
    'plugins/agents/jira/routing.ts',
    'plugins/agents/onboarding/files/guard.ts',
    'plugins/chat/rules/tokens.ts',
    'plugins/chat/rules/translated.ts',
    'plugins/chat/rules/wishes.ts',
    'plugins/chat/rules/wordings.ts',
    'plugins/chat/variations/read-message.ts',
    'plugins/checkout/proxy/head.ts',
    'plugins/content/replace-text.ts',
    'plugins/files/adapter/select.ts',
    'plugins/files/markup.ts',
    'plugins/publish/assets.ts',
  ])
  const runs = /\b(?:eval|Function)\(|v\.(?:emoji|regex\((?!\/))/
  const others = files.filter(({ text }) => runs.test(text))
  t.strictSame(others, [], 'no other code or pattern is built from a string')

  const address = 'http://localhost:4200'
  const blobs = createMemoryBlobs({ clock: systemClock, ids: randomIds })
  const own = createOwnFiles({ addresses: [address], blobs, driveName: async () => undefined })
  const [picture, copy] = [`/generated-images/${'a'.repeat(150)}`, `/gdrive/images/${'a'.repeat(140)}`]
  const parts = ['/a', 'a', '/generated-images', picture, copy, `${address}/a`, `${address}${picture}.png-`]
  for (const part of parts) {
    const text = `${address}/${part.repeat((1024 * 1024) / part.length)}!`
    // Quadratic time would exceed the time limit of the file.
    const packed = await own.pack({ pages: [{ ...pageOf('/'), title: text }], siteConfig: undefined })
    t.ok(packed, `a megabyte of ${part.slice(0, 40)}`)
  }
})

/** Names of variables that hold secrets. */
const secretNames = /(?:secret|token|password|signature|fingerprint|bearer|credential|apikey)\w*$/i
const comparison = /([\w$.?!'"()[\]-]+)\s+[!=]==?\s+([\w$.?'"()[\]-]+)/g
/** Operands that only test whether there is a secret. */
const harmless = /^(?:undefined|null|''|""|'[a-z_\d]{1,9}'|true|false|\d+|-1)\)?$|\.length$/
/** Comparisons of values that are not secrets. */
const known = new Set([
  'marks.get(id)?.fingerprint === fingerprint',
  'stored.body.fingerprint !== fingerprint',
  'password !== password.trim',
])

t.test('secrets are compared by digest only, in constant time', (t) => {
  const found = files.flatMap(({ name, text }) =>
    [...text.matchAll(comparison)].flatMap(([match, left = '', right = '']) => {
      const isSecret = secretNames.test(left) || secretNames.test(right)
      const isFine =
        harmless.test(left) || harmless.test(right) || known.has(match.replaceAll(/^\(|[()]+$/g, ''))
      return isSecret && !isFine ? [`${name}: ${match}`] : []
    }),
  )
  t.strictSame(found, [])
  const comparing = files.filter(({ text }) => text.includes('timingSafeEqual('))
  t.ok(comparing.some(({ name }) => name === 'kernel/safe-equal.ts'))
  const digests = /timingSafeEqual\(hash\('sha256', \w+, 'buffer'\), hash\('sha256', \w+, 'buffer'\)\)/
  for (const { name, text } of comparing) t.match(text, digests, `${name} compares digests of equal length`)
  t.end()
})

const Names = v.optional(v.record(v.string(), v.string()), {})
const Package = v.object({ dependencies: Names, peerDependencies: Names, devDependencies: Names })
/** The runtime dependencies. A new one is a deliberate decision. */
const chosen = new Set(['find-my-way', 'lru-cache', 'parse5', 'pino', 'undici', 'valibot'])
/** What the build takes into the package, so that a website has few packages to install; likewise. */
const bundled = new Set([
  '@fastify/busboy',
  '@valibot/to-json-schema',
  'chokidar',
  'cosmiconfig',
  'diff',
  'eventsource-parser',
  'file-type',
  'http-proxy-3',
  'image-size',
  'jsonc-parser',
  'markdown-it',
  'mdast-util-directive',
  'mdast-util-from-markdown',
  'mdast-util-gfm',
  'mdast-util-mdx',
  'micromark-extension-directive',
  'micromark-extension-gfm',
  'micromark-extension-mdxjs',
  'toml-eslint-parser',
  'yaml',
])
const optional = new Set([
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  'aws4fetch',
  'openai',
  'pg',
  'pino-pretty',
  'playwright-core',
  'prom-client',
  'sharp',
  'standardwebhooks',
  'unpdf',
])
/** Builds the package, and is not part of it; the page of the studio is in it as bundled text. */
const isBuilt = (name: string): boolean =>
  name === 'config/build.ts' || name === 'config/bundle.ts' || name.startsWith('plugins/studio/app/')
const importedName = /(?:\bfrom |\bimport\()'((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?'/g

t.test('the service depends on the chosen packages only', (t) => {
  const { dependencies, peerDependencies, devDependencies } = v.parse(
    Package,
    JSON.parse(read('package.json')),
  )
  const extras = Object.keys(peerDependencies)
  const unchosen = Object.keys(dependencies).filter((name) => !chosen.has(name))
  t.strictSame(unchosen, [])
  const unchosenExtras = extras.filter((name) => !optional.has(name))
  t.strictSame(unchosenExtras, [])
  const names = files
    .filter(({ name }) => !isBuilt(name))
    .flatMap(({ text }) => [...text.matchAll(importedName)].map(([, name = '']) => name))
  const imported = new Set(names)
  const undeclared = (name: string): boolean =>
    !(name in dependencies) && !optional.has(name) && !(bundled.has(name) && name in devDependencies)
  t.strictSame([...imported].filter(undeclared), [], 'every imported package is declared')
  const unused = [...Object.keys(dependencies), ...bundled].filter((name) => !imported.has(name))
  t.strictSame(unused, [], 'every declared package is imported')
  t.end()
})

const Locked = v.object({
  dependencies: Names,
  optionalDependencies: Names,
  dev: v.optional(v.boolean(), false),
  optional: v.optional(v.boolean(), false),
  resolved: v.optional(v.string(), 'https:'),
  integrity: v.optional(v.string(), ''),
  hasInstallScript: v.optional(v.boolean(), false),
})
type Locked = v.InferOutput<typeof Locked>
const Lock = v.object({ packages: v.record(v.string(), Locked) })

t.test('a fresh clone installs exactly what was tested', (t) => {
  const { '': _self, ...packages } = v.parse(Lock, JSON.parse(read('package-lock.json'))).packages
  const all = Object.entries(packages)
  const pathsOf = (wanted: (each: Locked) => boolean) =>
    all.filter(([, each]) => wanted(each)).map(([path]) => path)
  // The linter has a build for every platform, and some registries lack some of them.
  const isPinned = ({ integrity, dev, optional }: Locked): boolean =>
    integrity.startsWith('sha512-') || (dev && optional)
  const unpinned = pathsOf((each) => !isPinned(each))
  t.strictSame(unpinned, [], 'every package has a digest')
  const insecure = pathsOf(({ resolved }) => !resolved.startsWith('https:'))
  t.strictSame(insecure, [])
  const scripted = pathsOf(({ dev, hasInstallScript }) => !dev && hasInstallScript)
  t.strictSame(scripted, [], 'no install script runs')

  /** Whether a package resolves another one from its own or a parent `node_modules`. */
  const finds = (path: string, name: string): boolean => {
    if (`${path}/node_modules/${name}`.replace(/^\//, '') in packages) return true
    return path !== '' && finds(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
  }
  const missing = all.flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !finds(path, name)),
  )
  t.strictSame(missing, [], 'the lock file is complete, or `npm ci` would refuse it')
  t.end()
})
