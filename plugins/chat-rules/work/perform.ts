import { applyBatch } from '../../content/batch.ts'
import { draftAfter, pagesIn } from '../../content/draft-view.ts'
import type { Draft, Page } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { ownValue, perObject } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import { ask } from './ask.ts'
import { type BlockAt, blockWithId, type RowAt, type Work } from './work.ts'

/** Does one more thing. What is so already is left out; what the content model refuses is asked back. */
export function perform(work: Work, op: Operation, touched?: BlockAt | RowAt): Work {
  const { scene: { texts, input: { maxOperations } }, draft, ops } = work
  if (maxOperations !== undefined && ops.length >= maxOperations) ask(texts.tooManyChanges(maxOperations), { isFinal: true })
  const result = applied(work, op)
  const focus = { touchedPage: undefined, touchedField: undefined, isUnclear: false, ...(touched && { touched }) }
  if (result.ok) return { ...work, ...focus, draft: draftAfter(draft, result), ...merged(work, op) }
  return result.category === 'no_effective_change' ? { ...work, ...focus } : ask(texts.refused)
}

type Result = ReturnType<typeof applyBatch>

/** What was tried on a draft: several readings of a clause may ask for the same thing. */
const triedOn = perObject<Draft, Map<string, Result>>(() => new Map())

function applied({ scene: { input: { registry, manifest, playground, allowStructuralEdits }, now }, draft }: Work, op: Operation): Result {
  const results = triedOn(draft)
  const key = JSON.stringify([op, allowStructuralEdits, playground === undefined])
  const capabilities = allowStructuralEdits === undefined ? undefined : { allowStructuralEdits }
  const result = results.get(key) ?? applyBatch(draft, [op], { source: 'planner', registry, manifest, playground, capabilities, now })
  results.set(key, result)
  return result
}

/** Consecutive changes of one thing become one operation, or none where the later one restores what was. */
function merged({ ops, drafts, draft }: Work, op: Operation): Pick<Work, 'ops' | 'drafts'> {
  const last = ops.at(-1)
  const before = drafts.at(-1) ?? draft
  const both = last && mergedWith(last, op, before)
  if (!both) return { ops: [...ops, op], drafts: [...drafts, draft] }
  return isSo(before, both) ? { ops: ops.slice(0, -1), drafts: drafts.slice(0, -1) } : { ops: [...ops.slice(0, -1), both], drafts }
}

function mergedWith(last: Operation, op: Operation, before: Draft): Operation | undefined {
  if (last.op === 'duplicate_page' && op.op === 'rename_page' && !before.page(op.pageSlug)) {
    return { ...last, newPageSlug: op.newPageSlug ?? last.newPageSlug, newTitle: op.newTitle ?? last.newTitle }
  }
  if (last.op === 'rename_page' && op.op === 'rename_page') {
    const isSame = op.newPageSlug === undefined && op.pageSlug === (last.newPageSlug ?? last.pageSlug)
    return isSame ? { ...last, newTitle: op.newTitle } : undefined
  }
  const isUpdate = op.op === 'update_props' || op.op === 'update_item' || op.op === 'update_page_meta'
  const isOfSame = isUpdate && sameJson({ ...last, patch: undefined }, { ...op, patch: undefined })
  return isOfSame ? { ...op, patch: { ...patchOf(last), ...op.patch } } : undefined
}

const patchOf = (op: Operation): object => ('patch' in op ? op.patch : {})

/** Whether everything that a change sets is so already. */
function isSo(draft: Draft, op: Operation): boolean {
  if (op.op !== 'update_props') return false
  const page = draft.page(op.pageSlug)
  const props = page && blockWithId(page, op.blockId)?.props
  return props !== undefined && Object.entries(op.patch).every(([name, value]) => sameJson(ownValue(props, name), value))
}

/** Whether a message leaves the draft as it is: what it asks for is so already, or one part of it undoes another. */
export function changesNothing({ ops, draft, scene: { input: { draft: before } } }: Work): boolean {
  if (ops.length === 0) return true
  const pages = pagesIn(draft)
  const isSame = (page: Page, other?: Page) => page === other || sameJson({ ...page, updatedAt: '' }, { ...other, updatedAt: '' })
  const isSite = pages.length === before.pages.length && sameJson(draft.config, before.config)
  return isSite && pages.every((page, index) => isSame(page, before.pages[index]))
}
