import { glob, readFile } from 'node:fs/promises'
import { basename, join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { Page } from '../../plugins/content/page.ts'
import { Case } from './case.ts'

/** Where the cases and the pages that they are about lie. */
export const ownFolder = fileURLToPath(new URL('.', import.meta.url))

export interface DataSet {
  readonly cases: readonly Case[]
  /** The pages that a case begins with, unless it brings its own. */
  readonly fixture: readonly Page[]
}

/** Everything that keeps a run from being one: a wrong case, a missing report, a key that is not there. */
export class EvalError extends Error {
  override readonly name = 'EvalError'
  readonly problems: readonly string[]

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads `fixture.json` and `cases/*.json` of a folder. Throws an EvalError that names every wrong case by file, id and path. */
export async function readDataSet(folder: string): Promise<DataSet> {
  const fixture = readAs(v.array(Page), await readJson(join(folder, 'fixture.json')), 'fixture.json')
  const files = (await Array.fromAsync(glob('cases/*.json', { cwd: folder }))).toSorted()
  const problems: string[] = []
  const cases: Case[] = []
  for (const file of files) {
    const rows = readAs(v.array(v.unknown()), await readJson(join(folder, file)), file)
    for (const [at, row] of rows.entries()) {
      const where = `${file}, ${nameOf(row, at)}`
      const { success, output, issues = [] } = v.safeParse(Case, row)
      if (!success) problems.push(...issues.map((issue) => `${where}: ${told(issue)}`))
      else {
        problems.push(...misfits(output, fixture).map((problem) => `${where}: ${problem}`))
        if (cases.some(({ id }) => id === output.id)) problems.push(`${where}: id: is there twice`)
        cases.push(output)
      }
    }
  }
  if (problems.length > 0) throw new EvalError(...problems)
  if (cases.length === 0) throw new EvalError(`There are no cases in ${join(folder, 'cases')}.`)
  return { cases, fixture }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new EvalError(`${basename(path)} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readAs<S extends v.GenericSchema>(schema: S, value: unknown, file: string): v.InferOutput<S> {
  const { success, output, issues = [] } = v.safeParse(schema, value)
  if (success) return output
  throw new EvalError(...issues.map((issue) => `${file}: ${told(issue)}`))
}

function nameOf(row: unknown, at: number): string {
  const id = isPlainObject(row) ? row['id'] : undefined
  return typeof id === 'string' && id !== '' ? `case '${id}'` : `case number ${at + 1}`
}

const told = (issue: v.BaseIssue<unknown>): string => `${v.getDotPath(issue) ?? 'the value'}: ${issue.message}`

/** Pages and blocks that a case speaks of and that are not there. */
function misfits(wanted: Case, shared: readonly Page[]): readonly string[] {
  const pages = wanted.fixture ?? shared
  const ids = new Set(pages.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  const named = {
    activeBlockId: wanted.activeBlockId === undefined ? [] : [wanted.activeBlockId],
    expectedTargetBlockIds: wanted.expectedTargetBlockIds,
    forbiddenBlockIds: wanted.forbiddenBlockIds,
  }
  const strangers = Object.entries(named).flatMap(([field, list]) => list.filter((id) => !ids.has(id)).map((id) => `${field}: no page has a block '${id}'`))
  return pages.some(({ slug }) => slug === wanted.slug) ? strangers : [`slug: there is no page '${wanted.slug}'`, ...strangers]
}

export interface Choice {
  /** Names separated by commas, of which a case has one; those after a `!` it must not have. */
  readonly tags?: string | undefined
  /** A pattern for ids. */
  readonly glob?: string | undefined
}

/** The cases that a person wants to run. Throws an EvalError when there are none. */
export function choose(cases: readonly Case[], { tags = '', glob = '*' }: Choice): readonly Case[] {
  const names = tags.split(',').map((name) => name.trim()).filter((name) => name !== '')
  const wanted = names.filter((name) => !name.startsWith('!'))
  const unwanted = names.filter((name) => name.startsWith('!')).map((name) => name.slice(1))
  const chosen = cases.filter(
    (each) =>
      matchesGlob(each.id, glob) &&
      (wanted.length === 0 || wanted.some((name) => each.tags.includes(name))) &&
      !unwanted.some((name) => each.tags.includes(name)),
  )
  if (chosen.length > 0) return chosen
  throw new EvalError(`No case fits --tags '${tags}' and --cases '${glob}'. Tags in use are ${[...new Set(cases.flatMap((each) => each.tags))].toSorted().join(', ')}.`)
}
