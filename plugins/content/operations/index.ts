import type * as v from 'valibot'
import { addBlock } from './add-block.ts'
import { addItem } from './add-item.ts'
import { createPage } from './create-page.ts'
import type { Behaviour, OperationOf } from './definition.ts'
import { duplicateBlock } from './duplicate-block.ts'
import { duplicatePage } from './duplicate-page.ts'
import { moveBlock } from './move-block.ts'
import { moveItem } from './move-item.ts'
import { movePage } from './move-page.ts'
import { removeBlock } from './remove-block.ts'
import { removeItem } from './remove-item.ts'
import { removePage } from './remove-page.ts'
import { renamePage } from './rename-page.ts'
import { updateItem } from './update-item.ts'
import { updatePageMeta } from './update-page-meta.ts'
import { updateProps } from './update-props.ts'
import { updateSiteConfig } from './update-site-config.ts'

/** All operations on a draft; a closed set. */
export const definitions = [
  createPage,
  renamePage,
  removePage,
  movePage,
  duplicatePage,
  updatePageMeta,
  updateSiteConfig,
  addBlock,
  updateProps,
  removeBlock,
  moveBlock,
  duplicateBlock,
  addItem,
  updateItem,
  removeItem,
  moveItem,
] as const

type OperationSchema = (typeof definitions)[number]['schema']

/** An operation as parsed by its schema. */
export type Incoming = v.InferOutput<OperationSchema>

/** One typed change to a draft, as returned by `parseOperations`. */
export type Operation = OperationOf<OperationSchema>
export type OperationName = Operation['op']

/** A definition looked up by name; pass it only operations of that name. */
interface AnyDefinition extends Behaviour<Operation> {
  readonly name: OperationName
  readonly schema: v.GenericSchema<unknown, Incoming>
}

/** The sixteen operations by name. */
export const operations: ReadonlyMap<string, AnyDefinition> = new Map(
  definitions.map((definition) => [definition.name, definition]),
)

export function definitionOf(op: Operation): AnyDefinition {
  const definition = operations.get(op.op)
  if (!definition) throw new Error(`There is no operation '${op.op}'; let parseOperations read the batch.`)
  return definition
}
