import { definitionOf, type Operation } from './index.ts'
import { refuse, violates } from './refuse.ts'
import type { Playground } from './state.ts'

/** What may stop a batch whatever the draft holds. */
export interface GateOptions {
  readonly capabilities?: { readonly allowStructuralEdits: boolean } | undefined
  readonly playground?: Playground | undefined
}

/**
 * The gate that each operation of a batch passes before any is applied.
 *
 * It refuses structural edits where the site has switched them off, what a public demo keeps locked, and an id
 * that is added twice, even to two pages: clients find a new block by its id alone.
 */
export function gateFor({ capabilities, playground }: GateOptions): (op: Operation) => void {
  const added = new Set<string>()
  return (op) => {
    if (playground && !playground.ops.has(op.op)) {
      const admissible = [...playground.ops]
      const message = `${op.op} is not possible in this demo; try ${admissible.join(', ')}`
      refuse('planner_refusal', message, { admissible })
    }
    if (capabilities?.allowStructuralEdits === false && definitionOf(op).structural) {
      const why = 'changes the structure of a page, which this site does not allow'
      refuse('operation_failed', `${op.op} ${why}; use update_props or update_item`)
    }
    if (op.op !== 'add_block') return
    const { id } = op.block
    if (added.has(id)) violates('block.id', `${id} is added twice in this batch; send another id`)
    added.add(id)
  }
}
