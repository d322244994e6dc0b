import type * as v from 'valibot'
import { addBlock, duplicateBlock, moveBlock, removeBlock, updateProps } from './blocks.ts'
import type { Behaviour, OperationOf } from './definition.ts'
import { addItem, moveItem, removeItem, updateItem } from './items.ts'
import { createPage, duplicatePage, movePage, removePage, renamePage, updatePageMeta } from './pages.ts'
import { updateSiteConfig } from './update-site-config.ts'

/** All operations on a draft; a closed set. */
export const definitions = [
  createPage, renamePage, removePage, movePage, duplicatePage, updatePageMeta, updateSiteConfig,
  addBlock, updateProps, removeBlock, moveBlock, duplicateBlock,
  addItem, updateItem, removeItem, moveItem,
] as const

type OperationSchema = (typeof definitions)[number]['schema']

/** An operation as parsed by its schema. */
export type Incoming = v.InferOutput<OperationSchema>

/** One typed change to a draft, as returned by `parseOperations`. */
export type Operation = OperationOf<OperationSchema>
export type OperationName = Operation['op']

/** A definition looked up by name; pass it only operations of that name. */
export interface AnyDefinition extends Behaviour<Operation> {
  readonly name: OperationName
  readonly schema: v.GenericSchema<unknown, Incoming>
}

/** The sixteen operations by name. */
export const operations: ReadonlyMap<string, AnyDefinition> =
  new Map(definitions.map((definition) => [definition.name, definition]))

export function definitionOf(op: Operation): AnyDefinition {
  const definition = operations.get(op.op)
  if (!definition) throw new Error(`There is no operation '${op.op}'; let parseOperations read the batch.`)
  return definition
}
