/**
 * Reads the Markdown, MDX, JSON, YAML, TOML and template files of packages, writes each back unchanged, and
 * makes random edits of every kind: what is accepted is read as what was meant, and only its range differs.
 */
import { execFileSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { contentOf } from '../helpers/file-edits.ts'
import {
  chanceOf,
  editByChance,
  editNames,
  kindsWith,
  type EditName,
  type Outcome,
  type SampleKind,
} from '../helpers/files-by-chance.ts'

const { values } = parseArgs({
  options: {
    /** Folders with files, separated by commas. */
    from: { type: 'string' },
    edits: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '20261121' },
    most: { type: 'string', default: '400' },
  },
})
const chance = chanceOf(Number(values.seed))
const mostBytes = 100_000

/** Packages that publish templates as they are written, and the compilers that read them. */
const withTemplates = [
  'vitepress@1',
  'primevue@4',
  'carbon-components-svelte@0',
  'flowbite-svelte@1',
  '@astrojs/starlight@0',
  'accessible-astro-components@5',
  'govuk-frontend@6',
  'nhsuk-frontend@10',
] as const
const compilers = ['@vue/compiler-sfc@3', 'svelte@5', '@astrojs/compiler-rs@0']

/** The folders with files, and the project with compilers if there is one. Other packages are fetched into one that goes. */
function places(): { readonly folders: readonly string[]; readonly project?: string } {
  if (values.from !== undefined) return { folders: values.from.split(',') }
  const project = mkdtempSync(join(tmpdir(), 'prove-files-'))
  process.once('exit', () => rmSync(project, { recursive: true, force: true }))
  const npm = (...args: readonly string[]) =>
    execFileSync('npm', args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
  writeFileSync(join(project, 'package.json'), '{}')
  npm('install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...compilers)
  npm('pack', '--silent', ...withTemplates)
  for (const name of readdirSync(project).filter((each) => each.endsWith('.tgz'))) {
    mkdirSync(join(project, 'sources', name), { recursive: true })
    execFileSync('tar', ['-xzf', name, '-C', join('sources', name)], { cwd: project })
  }
  return { folders: ['node_modules', join(project, 'sources')], project }
}

interface Sample extends SampleKind {
  readonly path: string
  readonly text: string
}

/** At most so many files of each kind, drawn by chance. */
function collect(): readonly Sample[] {
  const { folders, project } = places()
  const kindOf = kindsWith(project)
  const paths = folders
    .flatMap((folder) => globSync(`${folder}/**/{.*/**/,}*.*`))
    .filter((path) => kindOf(path) !== undefined)
    .filter((path) => !/package(?:-lock)?\.json$|tsconfig|\.map$/.test(path))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && statSync(path).size <= mostBytes)
  const byName = Map.groupBy(paths.toSorted(), (path) => kindOf(path)?.name ?? '')
  return [...byName].flatMap(([name, all]) => {
    if (name === '') return []
    const some = [...all]
    while (some.length > Number(values.most)) some.splice(chance.below(some.length), 1)
    return some.flatMap((path) => {
      const kind = kindOf(path)
      return kind ? [{ ...kind, path, text: readFileSync(path, 'utf8') }] : []
    })
  })
}

const samples = collect()
const problems: string[] = []
const readable = samples.filter(({ path, text, kind }) => {
  const read = kind.read(text)
  if ('unreadable' in read) {
    console.log(`unreadable: ${path}:${read.line} ${read.unreadable}`)
    return false
  }
  const content = contentOf(read)
  const same = kind.patch(text, content, content)
  if (!isDeepStrictEqual(same, { text })) problems.push(`${path}: written back, it differs`)
  return true
})

const outcomes: (Outcome & { readonly path: string; readonly name: string })[] = []
const wanted = Number(values.edits)
for (let tries = 0; outcomes.length < wanted && tries < wanted * 20; tries += 1) {
  const sample = chance.one(readable)
  const edit: EditName = editNames[tries % editNames.length] ?? 'words'
  if (!sample) break
  const outcome = editByChance(sample, sample.text, edit, chance)
  if (outcome) outcomes.push({ ...outcome, path: sample.path, name: sample.name })
}
for (const each of outcomes)
  if (each.result === 'inexact') problems.push(`${each.path}: ${each.edit}: ${each.why}`)

const share = (part: number, all: number): string =>
  all === 0 ? '-' : `${((100 * part) / all).toFixed(1)} %`

console.log('\nkind        files  unreadable  nodes  Source')
for (const [name, all] of Map.groupBy(samples, ({ name }) => name)) {
  const read = readable.filter((each) => each.name === name)
  const nodes = read.flatMap(({ kind, text }) => {
    const reading = kind.read(text)
    return 'unreadable' in reading ? [] : reading.blocks.filter(({ type }) => type !== 'Details')
  })
  const sources = nodes.filter(({ type }) => type === 'Source').length
  const columns = [
    name.padEnd(10),
    String(all.length).padStart(6),
    share(all.length - read.length, all.length).padStart(11),
    String(nodes.length).padStart(6),
    share(sources, nodes.length).padStart(7),
  ]
  console.log(columns.join(' '))
}
console.log('\nedit      kind        tried  accepted and exact  inexact')
for (const [group, all] of Map.groupBy(
  outcomes,
  ({ edit, name }) => `${edit.padEnd(9)} ${name.padEnd(10)}`,
)) {
  const exact = all.filter(({ result }) => result === 'exact').length
  const inexact = all.filter(({ result }) => result === 'inexact').length
  console.log(
    `${group} ${String(all.length).padStart(6)} ${share(exact, all.length).padStart(19)} ${String(inexact).padStart(8)}`,
  )
}
console.log('\nrefusals')
const refused = outcomes.flatMap((each) => (each.result === 'refused' ? [each] : []))
const general = (reason: string): string =>
  reason.replace(/there: .*/s, 'there').replace(/\S*[\w.]+ (?=cannot be changed here)/, 'NAME ')
for (const [reason, all] of [
  ...Map.groupBy(refused, ({ edit, reason }) => `${edit.padEnd(7)} ${general(reason)}`),
]
  .toSorted(([, a], [, b]) => b.length - a.length)
  .slice(0, 40))
  console.log(`${String(all.length).padStart(5)} ${reason}   (${all[0]?.path})`)
for (const problem of problems) console.log(problem)
console.log(`\n${samples.length} files, ${outcomes.length} edits, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
