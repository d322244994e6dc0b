import type { PlanningRun } from '../../port.ts'
import { parseOperations } from '../../../content/operations/parse.ts'
import { isPlainObject } from '../../../content/plain-object.ts'
import type { PlanSource } from '../lookup.ts'
import { createJsonReader, type Path } from './json.ts'
import { normalised, contextFor } from './plan.ts'
import { mostOperations } from './row.ts'

const summaryKeys = new Set<unknown>(['summary_for_user', 'summary'])
const listKeys = new Set<unknown>(['ops', 'operations'])
/** A draft is reported again after growing by this many characters and an eighth: the total stays small. */
const growth = 8

/**
 * Reports plans while they are written: summary words, lines, field drafts, and each operation as it will be
 * applied. An unreadable operation is not reported; the complete plan is read once more.
 *
 * Clients concatenate the words of a summary, so only the first plan that has any reports words and lines.
 */
export function createPlanStream(run: PlanningRun, source: PlanSource) {
  let speaking: object | undefined
  return () => {
    const context = contextFor(source)
    const speaks = (): boolean => (speaking ??= context) === context
    let index = 0
    /** The fields of the operation being written. */
    const fields = new Map<unknown, unknown>()
    let draft = ''
    let reported = 0

    function reportDraft(path: Path): void {
      const [blockId, pageSlug] = [fields.get('blockId'), fields.get('pageSlug')]
      if (fields.get('op') !== 'update_props' || typeof blockId !== 'string') return
      reported = draft.length
      const at = { blockId, ...(typeof pageSlug === 'string' && { pageSlug }) }
      run.emit({ type: 'field_draft', ...at, editablePath: toEditablePath(path.slice(3)), value: draft })
    }

    return createJsonReader({
      grew(path, piece) {
        const isSummary = path.length === 1 && summaryKeys.has(path[0])
        if (isSummary && speaks()) run.emit({ type: 'summary_token', text: piece })
        if (!listKeys.has(path[0]) || path.length <= 3 || path[2] !== 'patch') return
        draft += piece
        if (draft.length >= Math.max(reported + growth, reported * 1.125)) reportDraft(path)
      },
      closed(path, value) {
        const [list, , field] = path
        if (draft.length > reported) reportDraft(path)
        draft = ''
        reported = 0
        const isLine = path.length === 2 && list === 'change_log' && typeof value === 'string'
        if (isLine && speaks()) run.emit({ type: 'changelog_entry', entry: value })
        if (!listKeys.has(list)) return
        if (path.length === 3) fields.set(field, value)
        if (path.length !== 2) return
        fields.clear()
        const operations = isPlainObject(value) && index < mostOperations ? normalised(value, context) : []
        for (const loose of operations) {
          const parsed = parseOperations([loose])
          const [op] = parsed.ok ? parsed.ops : []
          if (op) run.emit({ type: 'op_candidate', index: (index += 1), op })
        }
      },
    }).push
  }
}

const toEditablePath = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')
