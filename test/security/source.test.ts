import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import * as v from 'valibot'
import { randomIds, systemClock } from '../../kernel/index.ts'
import { createMemoryBlobs } from '../../plugins/blobs/memory.ts'
import { createOwnFiles } from '../../plugins/publish/assets.ts'
import { pumped } from './pumped.ts'
import { regexLiterals } from './regex-literals.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (name: string): string => readFileSync(root + name, 'utf8')
const files = globSync('{kernel,plugins,config}/**/*.{ts,mjs}', { cwd: root }).map((name) => ({ name, text: read(name) }))

t.test('regular expressions are found wherever they stand, and nothing else is', (t) => {
  const text = [
    "#!/usr/bin/env node", "const a = 4 / 2 / 1 // no /comment/", "/* nor /this/ */ const b = /one\\/[/\\]]x/gi.test('/no/')", 'const c = `/no/ ${/two/.source} ${ {x: `${/three/}`} }/no/`',
    "return /four/", "list.map((x) => /five/u)", "a[0] / b / c", "f(x) / 2 / y", "case /six/: x = y ? /seven/ : !/eight/",
  ].join('\n')
  t.strictSame(regexLiterals(text).map(({ source, flags, line }) => `${line} /${source}/${flags}`), [
    '3 /one\\/[/\\]]x/gi', '4 /two/', '4 /three/', '5 /four/', '6 /five/u', '9 /six/', '9 /seven/', '9 /eight/',
  ])
  t.end()
})

/** Milliseconds for a text of 8 KB; five times as many of processor time before it counts, since others compute here too. */
const enough = 1
const patience = 5

/** Lets an expression look at a text, at all the places where its own flags let it. */
function look(expression: RegExp, text: string): void {
  if (expression.global || expression.sticky) text.replaceAll(new RegExp(expression, `${expression.flags.replace('g', '')}g`), '')
  else expression.test(text)
}

function milliseconds(run: () => void): number {
  const began = performance.now()
  run()
  return performance.now() - began
}

function processorMilliseconds(run: () => void): number {
  const began = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

t.test('no regular expression can be kept busy', (t) => {
  const literals = files.flatMap(({ name, text }) => regexLiterals(text).map((literal) => ({ ...literal, name })))
  t.ok(literals.length > 100, `${literals.length} expressions in ${files.length} files`)
  let tried = 0
  const slow = literals.flatMap(({ name, line, source, flags }) => {
    const expression = new RegExp(source, flags)
    for (const text of pumped(expression)) {
      tried++
      if (milliseconds(() => look(expression, text)) <= enough) continue
      const [, , median = 0] = Array.from({ length: 5 }, () => processorMilliseconds(() => look(expression, text))).toSorted((a, b) => a - b)
      if (median > enough * patience) return [`${name}:${line} ${expression} takes ${median.toFixed(0)} ms for ${JSON.stringify(text.slice(0, 20))}...`]
    }
    return []
  })
  t.comment(`${tried} texts`)
  t.strictSame(slow, [])
  t.end()
})

t.test('regular expressions that are made at run time are made of what the operator chose, and are as quick', async (t) => {
  const made = files.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ name }) => name)
  t.strictSame(made.toSorted(), ['plugins/docs/page/example.ts', 'plugins/publish/assets.ts'])
  t.notOk(files.some(({ text }) => /\b(?:eval|Function)\(|v\.(?:emoji|regex\((?!\/))/.test(text)), 'nothing else is run from a text either')

  const address = 'http://localhost:4200'
  const own = createOwnFiles({ addresses: [address], blobs: createMemoryBlobs({ clock: systemClock, ids: randomIds }) })
  const parts = ['/a', 'a', '/generated-images', `/generated-images/${'a'.repeat(150)}`, `/gdrive/images/${'a'.repeat(140)}`, `${address}/a`, `${address}/generated-images/a.png-`]
  for (const part of parts) {
    const text = `${address}/${part.repeat(1024 * 1024 / part.length)}!`
    const began = process.cpuUsage()
    await own.pack({ text })
    const { user, system } = process.cpuUsage(began)
    t.ok((user + system) / 1000 < 200, `a megabyte of ${part.slice(0, 40)} takes ${((user + system) / 1000).toFixed(0)} ms`)
  }
})

/** Names under which a secret goes through this code. */
const secretNames = /(?:secret|token|password|signature|fingerprint|bearer|credential|apikey)\w*$/i
const comparison = /([\w$.?!'"()[\]-]+)\s+[!=]==?\s+([\w$.?'"()[\]-]+)/g
/** What may be compared with a name like that, because it says whether there is a secret, never which. */
const harmless = /^(?:undefined|null|''|""|'[a-z\d]{1,8}'|true|false|\d+|-1)\)?$|\.length$/
/** What only sounds like a secret. */
const known = new Map([
  ['plugins/draft/commit.ts', 'known.body.fingerprint !== fingerprint'],
  ['config/read-password.ts', 'password !== password.trim()'],
])

t.test('no secret is compared but by digests, in a time that tells nothing', (t) => {
  const found = files.flatMap(({ name, text }) => [...text.matchAll(comparison)].flatMap(([whole, left = '', right = '']) => {
    const isSecret = secretNames.test(left) || secretNames.test(right)
    return !isSecret || harmless.test(left) || harmless.test(right) || whole.includes(known.get(name) ?? '?') ? [] : [`${name}: ${whole}`]
  }))
  t.strictSame(found, [])
  const digests = files.filter(({ text }) => /timingSafeEqual\(/.test(text)).map(({ name }) => name)
  t.ok(digests.includes('plugins/auth/safe-equal.ts'))
  for (const { name, text } of files.filter(({ name }) => digests.includes(name))) t.match(text, /timingSafeEqual\(hash\('sha256', \w+, 'buffer'\), hash\('sha256', \w+, 'buffer'\)\)/, `${name} compares digests`)
  t.end()
})

const Names = v.optional(v.record(v.string(), v.string()), {})
const Package = v.object({ dependencies: Names, peerDependencies: Names, optionalDependencies: Names })
/** What the running service is made of beside itself. A new name here is a decision, not a convenience. */
const chosen = new Set([
  '@anthropic-ai/sdk', '@fastify/busboy', '@modelcontextprotocol/node', '@modelcontextprotocol/server', '@valibot/to-json-schema', 'cosmiconfig',
  'find-my-way', 'parse5', 'pino', 'undici', 'valibot',
])
const optional = new Set(['@opentelemetry/api', 'pg', 'pino-pretty', 'playwright-core', 'sharp'])
const importedName = /(?:\bfrom |\bimport\()'((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?'/g

t.test('the service runs on the packages that were chosen and on no other', (t) => {
  const { dependencies, peerDependencies, optionalDependencies } = v.parse(Package, JSON.parse(read('package.json')))
  t.strictSame(Object.keys(dependencies).filter((name) => !chosen.has(name)), [])
  t.strictSame(Object.keys({ ...peerDependencies, ...optionalDependencies }).filter((name) => !optional.has(name)), [])
  const imported = new Set(files.flatMap(({ text }) => [...text.matchAll(importedName)].map(([, name = '']) => name)))
  t.strictSame([...imported].filter((name) => !(name in dependencies) && !optional.has(name)), [], 'each that is imported is named')
  t.strictSame(Object.keys(dependencies).filter((name) => !imported.has(name)), [], 'each that is named is imported')
  t.end()
})

const Locked = v.object({
  dependencies: Names, optionalDependencies: Names, dev: v.optional(v.boolean(), false), optional: v.optional(v.boolean(), false),
  resolved: v.optional(v.string(), 'https:'), integrity: v.optional(v.string(), ''), hasInstallScript: v.optional(v.boolean(), false),
})
const Lock = v.object({ packages: v.record(v.string(), Locked) })

t.test('a fresh clone installs exactly what was tested', (t) => {
  const { '': _self, ...packages } = v.parse(Lock, JSON.parse(read('package-lock.json'))).packages
  const others = Object.entries(packages)
  const names = (wanted: (each: v.InferOutput<typeof Locked>) => boolean): readonly string[] => others.filter(([, each]) => wanted(each)).map(([path]) => path)
  t.strictSame(names(({ integrity, dev, optional }) => !integrity.startsWith('sha512-') && !(dev && optional)), [], 'every package has its digest')
  t.strictSame(names(({ resolved }) => !resolved.startsWith('https:')), [])
  t.strictSame(names(({ dev, hasInstallScript }) => !dev && hasInstallScript), [], 'nothing that the service runs on has an install script')
  /** Whether a package sees another one: beside it, or beside one that it lies in. */
  const sees = (path: string, name: string): boolean => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      if (`${folder}/node_modules/${name}`.replace(/^\//, '') in packages) return true
      if (folder === '') return false
    }
  }
  const missing = others.flatMap(([path, { dependencies, optionalDependencies }]) => Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !sees(path, name)))
  t.strictSame(missing, [], 'the lock file is whole, or npm ci refuses it')
  t.end()
})
