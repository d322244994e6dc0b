import { glob, readFile } from 'node:fs/promises'
import { basename, join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
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

/** Reads `fixture.json` and `cases/*.json` of a folder. Throws an EvalError with every invalid case by file, id and path. */
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
      if (!success) problems.push(...issues.map((issue) => `${where}: ${issueLine(issue)}`))
      else {
        problems.push(...unknownReferences(output, fixture).map((problem) => `${where}: ${problem}`))
        if (cases.some(({ id }) => id === output.id)) problems.push(`${where}: id: is a duplicate`)
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
    throw new EvalError(
      `${basename(path)} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function readAs<S extends v.GenericSchema>(schema: S, value: unknown, file: string): v.InferOutput<S> {
  const { success, output, issues = [] } = v.safeParse(schema, value)
  if (success) return output
  throw new EvalError(...issues.map((issue) => `${file}: ${issueLine(issue)}`))
}

function nameOf(row: unknown, at: number): string {
  const id = isPlainObject(row) ? row['id'] : undefined
  return typeof id === 'string' && id !== '' ? `case '${id}'` : `case number ${at + 1}`
}

const issueLine = (issue: v.BaseIssue<unknown>): string =>
  `${v.getDotPath(issue) ?? 'the value'}: ${issue.message}`

/** Pages and blocks that a case refers to but that do not exist. */
function unknownReferences(wanted: Case, shared: readonly Page[]): readonly string[] {
  const pages = wanted.fixture ?? shared
  const ids = new Set(pages.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  const named = {
    activeBlockId: wanted.activeBlockId === undefined ? [] : [wanted.activeBlockId],
    expectedTargetBlockIds: wanted.expectedTargetBlockIds,
    forbiddenBlockIds: wanted.forbiddenBlockIds,
  }
  const unknownBlocks = Object.entries(named).flatMap(([field, list]) =>
    list.filter((id) => !ids.has(id)).map((id) => `${field}: no page has a block '${id}'`),
  )
  return pages.some(({ slug }) => slug === wanted.slug)
    ? unknownBlocks
    : [`slug: there is no page '${wanted.slug}'`, ...unknownBlocks]
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
