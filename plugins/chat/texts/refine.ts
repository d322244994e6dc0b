import { labelOf } from '../../content/field-meta.ts'
import type { Block, Manifest } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { ownValue } from '../../content/plain-object.ts'
import { knownType } from './change-line.ts'
import type { Texts } from './texts.ts'

const textKinds: ReadonlySet<string | undefined> = new Set(['text', 'richtext', 'html'])

/** What a model could make of the one text that an edit has set; nothing after any other edit. */
export function refinementsOf(ops: readonly Operation[], blocks: readonly Block[], manifest: Manifest | undefined, texts: Texts): readonly string[] {
  const [op, ...more] = ops
  if (op?.op !== 'update_props' || more.length > 0) return []
  const [name, ...others] = Object.keys(op.patch)
  const type = blocks.find(({ id }) => id === op.blockId)?.type ?? ''
  const blockType = knownType(type, { texts, manifest })
  if (name === undefined || others.length > 0 || !blockType) return []
  const meta = ownValue(blockType.fields, name)
  return textKinds.has(meta?.kind) ? texts.refine(labelOf(name, meta), blockType.displayName) : []
}
