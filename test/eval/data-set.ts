import { glob, readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { Page } from '../../plugins/content/page.ts'
import { Case } from './case.ts'

/** The folder of the cases and their pages. */
export const ownFolder = fileURLToPath(new URL('.', import.meta.url))

export interface DataSet {
  readonly cases: readonly Case[]
  /** The initial pages of cases without their own. */
  readonly fixture: readonly Page[]
}

/** A problem that prevents a run: an invalid case, a missing report, a missing key. */
export class EvalError extends Error {
  override readonly name = 'EvalError'
  readonly problems: readonly string[]

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads `fixture.json` and `cases/*.json`. Throws an EvalError with every problem of the first bad file. */
export async function readDataSet(folder: string): Promise<DataSet> {
  const fixture = await readAs(v.array(Page), folder, 'fixture.json')
  const files = (await Array.fromAsync(glob('cases/*.json', { cwd: folder }))).toSorted()
  const cases = (await Promise.all(files.map((file) => readAs(v.array(Case), folder, file)))).flat()
  if (cases.length === 0) throw new EvalError(`There are no cases in ${join(folder, 'cases')}.`)
  return { cases, fixture }
}

async function readAs<S extends v.GenericSchema>(
  schema: S,
  folder: string,
  file: string,
): Promise<v.InferOutput<S>> {
  const value: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'))
  const { success, output, issues = [] } = v.safeParse(schema, value)
  if (success) return output
  throw new EvalError(
    ...issues.map((issue) => `${file}: ${v.getDotPath(issue) ?? 'the value'}: ${issue.message}`),
  )
}

export interface Choice {
  /** Comma-separated tags, of which a case needs one; `!` excludes a tag. */
  readonly tags?: string | undefined
  /** A pattern for ids. */
  readonly glob?: string | undefined
}

/** Selects cases by tags and id. Throws an EvalError when there are none. */
export function selectCases(cases: readonly Case[], { tags = '', glob = '*' }: Choice): readonly Case[] {
  const names = tags
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const wanted = names.filter((name) => !name.startsWith('!'))
  const unwanted = names.filter((name) => name.startsWith('!')).map((name) => name.slice(1))
  const chosen = cases.filter(
    (each) =>
      matchesGlob(each.id, glob) &&
      (wanted.length === 0 || wanted.some((name) => each.tags.includes(name))) &&
      !unwanted.some((name) => each.tags.includes(name)),
  )
  if (chosen.length > 0) return chosen
  throw new EvalError(
    `No case fits --tags '${tags}' and --cases '${glob}'. Tags in use are ${[...new Set(cases.flatMap((each) => each.tags))].toSorted().join(', ')}.`,
  )
}
