import { compareDraft, compareLog } from './compare.ts'
import { look, type Editor, type Intent, type ProvenDraft } from './editors.ts'
import { changesBetween, type Changed } from './follow.ts'

/** The committed versions of unanswered requests, by editor. */
export type Landed = ReadonlyMap<Editor, number>

/** What has happened to a draft since it was last settled. */
export interface Settled {
  readonly landed: Landed
  /** By version. */
  readonly changes: ReadonlyMap<number, Changed>
}

/**
 * Compares a draft with its model while no editor is working: reads every version since the last call from the
 * event stream, and applies it to the model.
 *
 * Every version must be an answered request, or the unanswered one of its editor. Throws if an answered change is lost or
 * partial, or if the draft differs from the model.
 */
export async function settle(when: string, port: number, draft: ProvenDraft): Promise<Settled> {
  const wrong: string[] = []
  const landed = new Map<Editor, number>()
  const { version: head } = await look({ port }, draft)
  const events = await changesBetween(port, draft, { after: draft.settled, upTo: head })
  const changes = new Map(events.map((change) => [change.previewVersion, change]))
  if (changes.size < events.length) wrong.push('a version has two events')
  const lost = [...draft.acknowledged.keys()].filter((version) => !changes.has(version)).length

  for (let version = draft.settled + 1; version <= head; version++) {
    const change = changes.get(version)
    const intent = draft.acknowledged.get(version) ?? (change && guess(draft, change, landed))
    if (!change) wrong.push(`version ${version} is not among the events`)
    else if (!intent) wrong.push(`version ${version} was not requested`)
    else wrong.push(...replay(draft, intent, change))
  }
  draft.settled = head
  draft.acknowledged.clear()
  wrong.push(...(await compareLog(port, draft)), ...(await compareDraft(port, draft)))
  if (lost > 0 || wrong.length > 0)
    throw new Error(`${when}: ${lost} answered changes lost; ${wrong.join('; ')}`)
  return { landed, changes }
}

const touchedBy = ({ slugs, removedSlugs }: Changed): readonly string[] => [...slugs, ...removedSlugs]

/** The unanswered request that caused this change; each editor has at most one. */
function guess({ editors }: ProvenDraft, change: Changed, landed: Map<Editor, number>): Intent | undefined {
  const owner = editors.find(({ own }) => touchedBy(change).some((slug) => slug.startsWith(`${own}-`)))
  if (!owner?.pending || landed.has(owner)) return undefined
  landed.set(owner, change.previewVersion)
  return owner.pending
}

function replay({ model }: ProvenDraft, { edit }: Intent, change: Changed): readonly string[] {
  const { previewVersion: version, source } = change
  const what = `version ${version} (${edit.kind})`
  if (edit.kind !== 'batch' && !model.can(edit.kind, edit.slug))
    return [`${what} had nothing to ${edit.kind}`]
  const expected = [...model.apply(edit)].toSorted().join()
  const touched = touchedBy(change).toSorted().join()
  const from = edit.kind === 'batch' ? 'direct' : edit.kind
  return [
    ...(source === from ? [] : [`${what} came from ${source}`]),
    ...(touched === expected ? [] : [`${what} is half there: it touched ${touched} and not ${expected}`]),
  ]
}
