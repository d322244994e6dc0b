import * as v from 'valibot'
import { ask, read } from './ask.ts'
import type { ModelPage } from './draft-model.ts'
import { look, type ProvenDraft } from './editors.ts'
import { ReadPage } from './pages.ts'

const Log = v.object({ currentVersion: v.number(), entries: v.array(v.object({ version: v.number() })) })
/** The maximum number of entries per read of the log. */
const logLength = 100

/** Lists what is wrong with the version log of a draft, which must have no gaps. */
export async function compareLog(port: number, { at, settled }: ProvenDraft): Promise<readonly string[]> {
  const query = new URLSearchParams({ ...at, limit: String(logLength) })
  const { currentVersion, entries } = read(await ask({ port }, { path: `/history/log?${query}` }), Log)
  const first = Math.max(1, settled - logLength + 1)
  const expected = Array.from({ length: settled - first + 1 }, (_, index) => first + index)
  const found = entries.map(({ version }) => version)
  return [
    ...(currentVersion === settled
      ? []
      : [`the log is at version ${currentVersion}, the draft at ${settled}`]),
    ...(found.join() === expected.join() ? [] : [`the log has the versions ${found.join()}`]),
  ]
}

const Steps = v.object({ canUndo: v.boolean(), canRedo: v.boolean() })
const Config = v.object({ name: v.optional(v.string()) })

/** Lists differences between a draft and its model: pages, their undo and redo, and the name of the site. */
export async function compareDraft(port: number, draft: ProvenDraft): Promise<readonly string[]> {
  const { at, model, settled } = draft
  const wrong: string[] = []
  const { slugs, version } = await look({ port }, draft)
  if (version !== settled) wrong.push(`the draft is at version ${version} and not ${settled}`)
  const expected = [...model.pages.keys()].toSorted().join()
  if (slugs.toSorted().join() !== expected) wrong.push(`the pages are ${slugs.join()} and not ${expected}`)
  const { name } = read(
    await ask({ port }, { path: `/draft/site-config?${new URLSearchParams(at)}` }),
    Config,
  )
  if (name !== model.name()) wrong.push(`the site is named ${name} and not ${model.name()}`)
  await Promise.all(
    slugs.map(async (slug) => {
      const query = new URLSearchParams({ ...at, slug })
      const page = describe(read(await ask({ port }, { path: `/draft/pages?${query}` }), ReadPage))
      const steps = read(await ask({ port }, { path: `/history/status?${query}` }), Steps)
      const wanted = describe(model.pages.get(slug))
      if (page !== wanted) wrong.push(`${slug} has ${page} and not ${wanted}`)
      const areSteps = steps.canUndo === model.can('undo', slug) && steps.canRedo === model.can('redo', slug)
      if (!areSteps) wrong.push(`the steps of ${slug} are wrong`)
    }),
  )
  return wrong
}

const describe = (page: ModelPage | undefined): string =>
  page ? `${page.marker} with a link to ${page.link}` : 'nothing'
