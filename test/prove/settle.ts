import * as v from 'valibot'
import { ask, read } from './ask.ts'
import type { ModelPage } from './draft-model.ts'
import { look, ReadPage, type Editor, type Intent, type ProvenDraft } from './editors.ts'
import { changesBetween, type Changed } from './follow.ts'

/** What an editor would complain about. */
export interface Audit {
  /** Changes that were answered and are not there. */
  readonly lost: number
  readonly wrong: readonly string[]
  /** By editor: the version that a request without an answer has become. */
  readonly landed: ReadonlyMap<Editor, number>
}

/**
 * Catches up with a draft that nobody changes now: takes every version since the last time from its event stream, brings
 * the model there, and compares the draft with it, all over HTTP.
 *
 * Every version has to be one that was answered, or the one request that its editor got no answer to.
 */
export async function settle(port: number, draft: ProvenDraft): Promise<Audit> {
  const wrong: string[] = []
  const landed = new Map<Editor, number>()
  const { version: head } = await look({ port }, draft)
  const told = await changesBetween(port, draft, { after: draft.settled, upTo: head })
  const changes = new Map(told.map((change) => [change.previewVersion, change]))
  if (changes.size < told.length) wrong.push('the events tell of a version twice')
  let lost = 0
  for (let version = draft.settled + 1; version <= head; version++) {
    const change = changes.get(version)
    const known = draft.acknowledged.get(version)
    if (!change) wrong.push(`version ${version} is not among the events`)
    if (!change && known) lost++
    const owner = change && ownerOf(draft, change)
    const guessed = owner && !landed.has(owner) ? owner.pending : undefined
    if (!known && owner && guessed) landed.set(owner, version)
    const intent = known ?? guessed
    if (intent && change) wrong.push(...replay(draft, intent, change))
    else wrong.push(`nobody asked for version ${version}`)
  }
  lost += [...draft.acknowledged.keys()].filter((version) => version > head).length
  draft.settled = head
  draft.acknowledged.clear()
  wrong.push(...(await compareLog(port, draft)), ...(await compareDraft(port, draft)))
  return { lost, wrong, landed }
}

const touchedBy = ({ slugs, removedSlugs }: Changed): readonly string[] => [...slugs, ...removedSlugs]

function ownerOf({ editors }: ProvenDraft, change: Changed): Editor | undefined {
  return editors.find(({ own }) => touchedBy(change).some((slug) => slug.startsWith(`${own}-`)))
}

function replay({ model }: ProvenDraft, { edit }: Intent, change: Changed): readonly string[] {
  const { previewVersion: version, source } = change
  const what = `version ${version} (${edit.kind})`
  if (edit.kind !== 'batch' && !model.can(edit.kind, edit.slug)) return [`${what} had nothing to ${edit.kind}`]
  const expected = [...model.apply(edit)].toSorted().join()
  const touched = touchedBy(change).toSorted().join()
  const from = edit.kind === 'batch' ? 'direct' : edit.kind
  return [
    ...(source === from ? [] : [`${what} came from ${source}`]),
    ...(touched === expected ? [] : [`${what} is half there: it touched ${touched} and not ${expected}`]),
  ]
}

const Log = v.object({ currentVersion: v.number(), entries: v.array(v.object({ version: v.number() })) })
/** The most that the log gives at once. */
const logLength = 100

async function compareLog(port: number, { at, settled }: ProvenDraft): Promise<readonly string[]> {
  const reply = await ask({ port }, { path: `/history/log?${new URLSearchParams({ ...at, limit: String(logLength) })}` })
  const { currentVersion, entries } = read(reply, Log)
  const first = Math.max(1, settled - logLength + 1)
  const expected = Array.from({ length: settled - first + 1 }, (_, index) => first + index)
  const found = entries.map(({ version }) => version)
  return [
    ...(currentVersion === settled ? [] : [`the log is at version ${currentVersion}, the draft at ${settled}`]),
    ...(found.join() === expected.join() ? [] : [`the log has the versions ${found.join()}`]),
  ]
}

const Steps = v.object({ canUndo: v.boolean(), canRedo: v.boolean() })
const Config = v.object({ name: v.optional(v.string()) })

/** Compares every page, what can be undone on it, and the name of the site with the model. */
export async function compareDraft(port: number, draft: ProvenDraft): Promise<readonly string[]> {
  const { at, model } = draft
  const get = (path: string, more = {}) => ask({ port }, { path: `${path}?${new URLSearchParams({ ...at, ...more })}` })
  const wrong: string[] = []
  const { slugs, version } = await look({ port }, draft)
  if (version !== draft.settled) wrong.push(`the draft is at version ${version} and not ${draft.settled}`)
  const expected = [...model.pages.keys()].toSorted().join()
  if (slugs.toSorted().join() !== expected) wrong.push(`the pages are ${slugs.join()} and not ${expected}`)
  const { name } = read(await get('/draft/site-config'), Config)
  if (name !== model.name()) wrong.push(`the site is named ${name} and not ${model.name()}`)
  await Promise.all(
    slugs.map(async (slug) => {
      const page = read(await get('/draft/pages', { slug }), ReadPage)
      const { canUndo, canRedo } = read(await get('/history/status', { slug }), Steps)
      const isPage = sayPage(page) === sayPage(model.pages.get(slug))
      if (!isPage) wrong.push(`${slug} has ${sayPage(page)} and not ${sayPage(model.pages.get(slug))}`)
      if (canUndo !== model.can('undo', slug) || canRedo !== model.can('redo', slug)) wrong.push(`the steps of ${slug} are wrong`)
    }),
  )
  return wrong
}

const sayPage = (page: ModelPage | undefined): string => (page ? `${page.marker} with a link to ${page.link}` : 'nothing')
