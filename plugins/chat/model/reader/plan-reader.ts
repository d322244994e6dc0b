import { isPlainObject, ownValue } from '../../../content/plain-object.ts'
import { createJsonReader, type Path } from './json-reader.ts'

/** Is told of a plan while the model writes it. */
export interface PlanListener {
  /** The next words of the summary. */
  summary(text: string): void
  /** A complete line of the change log. */
  change(line: string): void
  /** The text of a field as far as it came. */
  draft(field: { readonly blockId: string; readonly pageSlug?: string; readonly editablePath: string; readonly value: string }): void
  /** A complete operation, as the model wrote it. */
  operation(raw: unknown): void
  /** The plan asks for an image. */
  image?(): void
}

/** A text that grows, told again only when it has grown by an eighth: so the whole costs a few times its length. */
interface Growing {
  readonly parts: string[]
  length: number
  told: number
  nextAt: number
}

const summaryKeys = new Set<unknown>(['summary_for_user', 'summary'])
const listKeys = new Set<unknown>(['ops', 'operations'])
const firstAt = 8

/** Reads a plan while it arrives, whatever the pieces that it comes in. */
export function createPlanReader(listener: PlanListener): { push(json: string): void } {
  /** The scalar fields of the operation that is being written. */
  let about: Record<string, unknown> = {}
  let growing: Growing | undefined

  const reader = createJsonReader({
    grew(path, piece) {
      if (path.length === 1 && summaryKeys.has(path[0])) return listener.summary(piece)
      if (!isPatched(path)) return
      growing ??= { parts: [], length: 0, told: 0, nextAt: firstAt }
      growing.parts.push(piece)
      growing.length += piece.length
      if (growing.length >= growing.nextAt) tellDraft(path, growing)
    },
    closed(path, value) {
      const [list, , field] = path
      if (growing && growing.told < growing.length) tellDraft(path, growing)
      growing = undefined
      if (path.length === 2 && list === 'change_log' && typeof value === 'string') return listener.change(value)
      if (path.length === 2 && list === 'images') return listener.image?.()
      if (!listKeys.has(list)) return
      if (path.length === 3 && typeof field === 'string' && typeof value === 'string') about = { ...about, [field]: value }
      if (path.length !== 2) return
      about = {}
      if (isPlainObject(value)) listener.operation(value)
    },
  })

  function tellDraft(path: Path, text: Growing): void {
    const blockId = ownValue(about, 'blockId')
    const pageSlug = ownValue(about, 'pageSlug')
    if (ownValue(about, 'op') !== 'update_props' || typeof blockId !== 'string') return
    text.told = text.length
    text.nextAt = Math.max(text.length + firstAt, text.length * 1.125)
    const page = typeof pageSlug === 'string' ? { pageSlug } : {}
    listener.draft({ blockId, ...page, editablePath: toEditablePath(path.slice(3)), value: text.parts.join('') })
  }

  return reader
}

/** Whether a value stands in the patch of an operation. */
const isPatched = (path: Path): boolean => listKeys.has(path[0]) && path.length > 3 && path[2] === 'patch'

const toEditablePath = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')
