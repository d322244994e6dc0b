import { fieldKinds } from '../../../content/field-kinds.ts'
import type { Operation } from '../../../content/operations/index.ts'
import type { Block, Props } from '../../../content/page.ts'
import { isPlainObject } from '../../../content/plain-object.ts'
import { sameJson } from '../../../content/same-json.ts'
import type { PlanningInput } from '../../types/planner.ts'
import type { Context } from '../context/context.ts'
import { blockAt, blockTypeAt, pageAt } from '../normalise/place.ts'
import type { Violation } from './check.ts'
import { fieldsIn, hasLetters } from './translation.ts'

const message = 'was not shown whole, so its texts cannot be replaced: leave it out, or ask for the section to be selected, which shows it whole'

/** Texts that a plan replaces although they were not shown whole: what it writes there is made up. */
export function rewrittenUnseen(ops: readonly Operation[], input: PlanningInput, { isWhole }: Context): readonly Violation[] {
  return ops.flatMap((op, at) => {
    const texts = op.op === 'update_page_meta' ? metaTexts(op, input, isWhole) : blockTexts(op, input, isWhole)
    return texts.map((path): Violation => ({ path: `ops[${at}].patch.${path}`, kind: 'not shown whole', message }))
  })
}

function metaTexts({ pageSlug, patch }: Extract<Operation, { op: 'update_page_meta' }>, input: PlanningInput, isWhole: Context['isWhole']): readonly string[] {
  const page = pageAt({ input }, pageSlug)
  return page && !isWhole(page) ? Object.keys(patch).filter((name) => name !== 'ogImage' && hasLetters(page.meta?.[name])) : []
}

function blockTexts(op: Operation, input: PlanningInput, isWhole: Context['isWhole']): readonly string[] {
  if (op.op !== 'update_props' && op.op !== 'update_item') return []
  // A page that the draft does not have may be one that the plan renames before.
  const pages = pageAt({ input }, op.pageSlug) ? [] : input.draft.pages
  const block = blockAt({ input }, op)?.block ?? pages.flatMap(({ blocks }) => blocks).find(({ id }) => id === op.blockId)
  if (!block || isWhole(block)) return []
  const fields = fieldsIn(block.props, afterwards(op, block), blockTypeAt({ input }, block.type)?.fields ?? {})
  return fields.filter(({ meta, old, value }) => fieldKinds[meta.kind].translatable && hasLetters(old) && !sameJson(old, value)).map(({ path }) => path)
}

function afterwards(op: Extract<Operation, { op: 'update_props' | 'update_item' }>, { props }: Block): Props {
  if (op.op === 'update_props') return { ...props, ...op.patch }
  const rows = props[op.listKey]
  return Array.isArray(rows) ? { ...props, [op.listKey]: rows.map((row: unknown, at) => (at === op.index && isPlainObject(row) ? { ...row, ...op.patch } : row)) } : props
}
