import type { PlanningRun } from '../../chat/port.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import type { PlanSource } from '../lookup.ts'
import { createJsonReader, type Path } from './json.ts'
import { mostOperations, normalised, placeFor } from './plan.ts'
import type { Place } from './row.ts'

const summaryKeys = new Set<unknown>(['summary_for_user', 'summary'])
const listKeys = new Set<unknown>(['ops', 'operations'])
/** A draft is reported again when it has grown by so many characters and by an eighth, so that the sum of all stays small. */
const growth = 8

/**
 * Reports plans while they are written: words of the summary, lines, drafts of fields, and each operation as it will be
 * applied. An operation that cannot be read is not reported; the complete plan is read once more.
 *
 * Clients put the words of a summary together, so only the first plan that has some reports words and lines.
 */
export function createPlanStream(run: PlanningRun, source: PlanSource): () => (json: string) => void {
  let speaking: Place | undefined
  return () => streamPlan(run, placeFor(source), (place) => (speaking ??= place) === place)
}

function streamPlan(run: PlanningRun, place: Place, speaks: (place: Place) => boolean): (json: string) => void {
  let index = 0
  /** The texts of the operation that is being written, such as its block. */
  let about: Record<string, unknown> = {}
  let draft = ''
  let reported = 0

  const reader = createJsonReader({
    grew(path, piece) {
      if (path.length === 1 && summaryKeys.has(path[0])) {
        if (speaks(place)) run.emit({ type: 'summary_token', text: piece })
        return
      }
      if (!listKeys.has(path[0]) || path.length <= 3 || path[2] !== 'patch') return
      draft += piece
      if (draft.length >= Math.max(reported + growth, reported * 1.125)) reportDraft(path)
    },
    closed(path, value) {
      const [list, , field] = path
      if (draft.length > reported) reportDraft(path)
      draft = ''
      reported = 0
      if (path.length === 2 && list === 'change_log' && typeof value === 'string' && speaks(place)) run.emit({ type: 'changelog_entry', entry: value })
      if (path.length === 2 && list === 'images') run.wantsImages?.()
      if (!listKeys.has(list)) return
      if (path.length === 3 && typeof field === 'string' && typeof value === 'string') about = { ...about, [field]: value }
      if (path.length !== 2) return
      about = {}
      if (isPlainObject(value) && index < mostOperations) reportOperations(value)
    },
  })

  function reportDraft(path: Path): void {
    const blockId = ownValue(about, 'blockId')
    const pageSlug = ownValue(about, 'pageSlug')
    if (ownValue(about, 'op') !== 'update_props' || typeof blockId !== 'string') return
    reported = draft.length
    const page = typeof pageSlug === 'string' ? { pageSlug } : {}
    run.emit({ type: 'field_draft', blockId, ...page, editablePath: toEditablePath(path.slice(3)), value: draft })
  }

  function reportOperations(raw: Readonly<Record<string, unknown>>): void {
    for (const loose of normalised(raw, place)) {
      const parsed = parseOperations([loose])
      const [op] = parsed.ok ? parsed.ops : []
      if (op) run.emit({ type: 'op_candidate', index: (index += 1), op })
    }
  }

  return (json) => reader.push(json)
}

const toEditablePath = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')
