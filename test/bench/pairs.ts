import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ranged } from './harness.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The median of each metric that a bench has printed, with its unit. */
export type Figures = ReadonlyMap<string, { readonly median: number; readonly unit: string }>

/** The figures of a bench in another commit, and in this working tree right before or after it. */
export type Pair = Readonly<Record<'there' | 'here', Figures>>

/** What a person can mend; it is printed without a stack. */
export class PairsRefused extends Error {}

/**
 * Compares benches of this working tree with those of another commit, which is cloned, installed and built in
 * `folder`: each bench runs there and here in turn, and the order is swapped each time. Both use the Node of
 * this process.
 *
 * Throws a `PairsRefused` if the commit is not known, cannot be built, or lacks one of the benches.
 */
export async function runPairs(
  {
    commit,
    pairs,
    names,
  }: { readonly commit: string; readonly pairs: number; readonly names: readonly string[] },
  folder: string,
): Promise<void> {
  const id = commitOf(commit)
  mustRun(root, 'git', ['clone', '--quiet', '--no-checkout', root, folder])
  mustRun(folder, 'git', ['checkout', '--quiet', '--detach', id])
  mustRun(folder, 'npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
  for (const place of [folder, root]) mustRun(place, 'npm', ['run', 'build'])
  refuseMissing(names, (await outputOf(folder, [askForNames])).errors, commit)
  for (const name of names) {
    const seen: Pair[] = []
    const there = async () => figuresOf(folder, name)
    const here = async () => figuresOf(root, name)
    for (let at = 0; at < pairs; at++) {
      console.error(`${name}: pair ${at + 1} of ${pairs}`)
      if (at % 2 === 0) seen.push({ there: await there(), here: await here() })
      else seen.push(swapped({ here: await here(), there: await there() }))
    }
    for (const line of linesOf(seen)) console.log(line)
  }
}

const swapped = ({ here, there }: Pair): Pair => ({ there, here })

/** Returns the id of a commit of this repository. */
export function commitOf(commit: string): string {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`]
  const { status, stdout } = spawnSync('git', asked, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new PairsRefused(`This repository has no commit '${commit}'; fetch it first.`)
  return stdout.trim()
}

/** No bench has this name, so that the refusal of a commit lists those that it has. */
const askForNames = '?'

/** Refuses benches that a commit lacks, by what its runner answers to a name that it does not know. */
export function refuseMissing(names: readonly string[], answer: string, commit: string): void {
  const [, list] = /Available: (.*)\./.exec(answer) ?? []
  if (list === undefined) throw new PairsRefused(`Commit '${commit}' has no benches that can be run by name.`)
  const known = list.split(', ')
  const missing = names.filter((name) => !known.includes(name))
  if (missing.length > 0)
    throw new PairsRefused(`Commit '${commit}' has no bench '${missing.join("', '")}'. It has: ${list}.`)
}

/** Reads the lines of `report` in the output of a bench: `metric min/median/max unit n=9`. */
export function readFigures(output: string): Figures {
  const lines = output.matchAll(/^(.+) [\d.e+-]+\/([\d.e+-]+)\/[\d.e+-]+(.*) n=\d+/gm)
  return new Map(
    [...lines].map(([, metric = '', median, unit = '']) => [metric, { median: Number(median), unit }]),
  )
}

/**
 * Returns a line for each metric: the medians of both sides with their ranges, and the ratios of the pairs.
 */
export function linesOf(pairs: readonly Pair[]): readonly string[] {
  const metrics = new Set(pairs.flatMap(({ there, here }) => [...there.keys(), ...here.keys()]))
  return [...metrics].map((metric) => {
    const of = (side: keyof Pair) => pairs.flatMap((pair) => pair[side].get(metric) ?? [])
    const [there, here] = [of('there'), of('here')]
    const [missing] = [...(there.length === 0 ? ['there'] : []), ...(here.length === 0 ? ['here'] : [])]
    if (missing) return `${metric}: not measured ${missing}`
    const shown = (side: typeof here) => ranged(side.map(({ median }) => median)) + (side[0]?.unit ?? '')
    const ratios = here.map(({ median }, at) => median / (there[at]?.median ?? Number.NaN))
    return `${metric}: there ${shown(there)}, here ${shown(here)}, here/there ${ranged(ratios)}`
  })
}

/** Runs a bench; one whose limit is missed has figures too. */
async function figuresOf(folder: string, name: string): Promise<Figures> {
  const { text, errors } = await outputOf(folder, [name])
  const figures = readFigures(text)
  if (figures.size === 0)
    throw new PairsRefused(`The bench '${name}' printed no figures in ${folder}. ${errors}`.trim())
  return figures
}

function outputOf(
  folder: string,
  names: readonly string[],
): Promise<{ readonly text: string; readonly errors: string }> {
  return new Promise((resolve, reject) => {
    const args = [join(folder, 'test/bench/run.ts'), ...names]
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let [text, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece))
    child.stderr.setEncoding('utf8').on('data', (piece) => (errors += piece))
    child.once('error', reject).once('close', () => resolve({ text, errors }))
  })
}

function mustRun(cwd: string, command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status === 0) return
  throw new PairsRefused(`'${command} ${args[0]} ${args[1]}' failed in ${cwd}:\n${stderr}`)
}
