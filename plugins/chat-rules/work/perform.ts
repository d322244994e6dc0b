import { applyBatch } from '../../content/batch.ts'
import { draftAfter, pagesIn } from '../../content/draft-view.ts'
import type { Draft, Page } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { ownValue, perObject } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import { ask } from './ask.ts'
import { type BlockAt, blockWithId, type RowAt, type Work } from './work.ts'

/** Appends an operation and applies it to the draft. Skips one without effect; asks when the content model refuses it. */
export function applyOperation(work: Work, op: Operation, touched?: BlockAt | RowAt): Work {
  const { context: { texts, input: { maxOperations } }, draft, ops } = work
  if (maxOperations !== undefined && ops.length >= maxOperations) ask(texts.tooManyChanges(maxOperations), { isFinal: true })
  const result = tryOperation(work, op)
  const focus = { touchedPage: undefined, touchedField: undefined, isUnclear: false, ...(touched && { touched }) }
  if (result.ok) return { ...work, ...focus, draft: draftAfter(draft, result), ...merged(work, op) }
  return result.category === 'no_effective_change' ? { ...work, ...focus } : ask(texts.refused)
}

type Result = ReturnType<typeof applyBatch>

/** Results by operation, for each draft: several readings of a clause may give the same operation. */
const resultsOn = perObject<Draft, Map<string, Result>>(() => new Map())

function tryOperation({ context: { input: { registry, manifest, playground, allowStructuralEdits }, now }, draft }: Work, op: Operation): Result {
  const results = resultsOn(draft)
  const key = JSON.stringify([op, allowStructuralEdits, playground === undefined])
  const capabilities = allowStructuralEdits === undefined ? undefined : { allowStructuralEdits }
  const result = results.get(key) ?? applyBatch(draft, [op], { source: 'planner', registry, manifest, playground, capabilities, now })
  results.set(key, result)
  return result
}

/** Merges consecutive changes of the same target into one operation, or none if the second undoes the first. */
function merged({ ops, drafts, draft }: Work, op: Operation): Pick<Work, 'ops' | 'drafts'> {
  const last = ops.at(-1)
  const before = drafts.at(-1) ?? draft
  const combined = last && mergedWith(last, op, before)
  if (!combined) return { ops: [...ops, op], drafts: [...drafts, draft] }
  return isAlreadySet(before, combined) ? { ops: ops.slice(0, -1), drafts: drafts.slice(0, -1) } : { ops: [...ops.slice(0, -1), combined], drafts }
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
  const isSameTarget = isUpdate && sameJson({ ...last, patch: undefined }, { ...op, patch: undefined })
  return isSameTarget ? { ...op, patch: { ...patchOf(last), ...op.patch } } : undefined
}

const patchOf = (op: Operation): object => ('patch' in op ? op.patch : {})

/** Whether a change sets only values that are already there. */
function isAlreadySet(draft: Draft, op: Operation): boolean {
  if (op.op !== 'update_props') return false
  const page = draft.page(op.pageSlug)
  const props = page && blockWithId(page, op.blockId)?.props
  return props !== undefined && Object.entries(op.patch).every(([name, value]) => sameJson(ownValue(props, name), value))
}

/** Whether a message leaves the draft unchanged: the state is as requested already, or one clause undoes another. */
export function changesNothing({ ops, draft, context: { input: { draft: before } } }: Work): boolean {
  if (ops.length === 0) return true
  const pages = pagesIn(draft)
  const isSame = (page: Page, other?: Page) => page === other || sameJson({ ...page, updatedAt: '' }, { ...other, updatedAt: '' })
  const isSameSite = pages.length === before.pages.length && sameJson(draft.config, before.config)
  return isSameSite && pages.every((page, index) => isSame(page, before.pages[index]))
}
