import { compareDraft, compareLog } from './compare.ts'
import { look, type Editor, type Intent, type ProvenDraft } from './editors.ts'
import { changesBetween, type Changed } from './follow.ts'

/** By editor: the version that a request without an answer has become. */
export type Landed = ReadonlyMap<Editor, number>

/**
 * Catches up with a draft that nobody changes now, over HTTP: takes every version since the last time from its
 * event stream, brings the model there, and compares the draft with it.
 *
 * Every version has to be one that was answered, or the one request that its editor got no answer to. Throws where an
 * answered change is lost, one is there by half, or anything else is unlike the model.
 */
export async function settle(when: string, port: number, draft: ProvenDraft): Promise<Landed> {
  const wrong: string[] = []
  const landed = new Map<Editor, number>()
  const { version: head } = await look({ port }, draft)
  const told = await changesBetween(port, draft, { after: draft.settled, upTo: head })
  const changes = new Map(told.map((change) => [change.previewVersion, change]))
  if (changes.size < told.length) wrong.push('the events tell of a version twice')
  const lost = [...draft.acknowledged.keys()].filter((version) => !changes.has(version)).length

  for (let version = draft.settled + 1; version <= head; version++) {
    const change = changes.get(version)
    const intent = draft.acknowledged.get(version) ?? (change && guess(draft, change, landed))
    if (!change) wrong.push(`version ${version} is not among the events`)
    else if (!intent) wrong.push(`nobody asked for version ${version}`)
    else wrong.push(...replay(draft, intent, change))
  }
  draft.settled = head
  draft.acknowledged.clear()
  wrong.push(...(await compareLog(port, draft)), ...(await compareDraft(port, draft)))
  if (lost > 0 || wrong.length > 0) throw new Error(`${when}: ${lost} answered changes lost; ${wrong.join('; ')}`)
  return landed
}

const touchedBy = ({ slugs, removedSlugs }: Changed): readonly string[] => [...slugs, ...removedSlugs]

/** Gives the request without an answer that has become this change: its editor has one at most. */
function guess({ editors }: ProvenDraft, change: Changed, landed: Map<Editor, number>): Intent | undefined {
  const owner = editors.find(({ own }) => touchedBy(change).some((slug) => slug.startsWith(`${own}-`)))
  if (!owner?.pending || landed.has(owner)) return undefined
  landed.set(owner, change.previewVersion)
  return owner.pending
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
