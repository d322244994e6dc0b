import { applyBatch, type BatchOptions, type BatchSuccess, isNoChange } from '../../content/batch.ts'
import { toDraft } from '../../content/draft-view.ts'
import { everyItemField } from '../../content/fields.ts'
import type {
  BlockType,
  Draft,
  DraftChange,
  ErrorCategory,
  Fields,
  Props,
  PropsSchema,
  Skip,
  SkipReason,
} from '../../content/model.ts'
import { blockTypesFor, type TypeFacts } from '../../content/operations/block-types.ts'
import { definitionOf } from '../../content/operations/index.ts'
import { badLinks } from '../../content/operations/links.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import { ownValue, picked } from '../../content/plain-object.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { readsAsInstruction } from '../../content/words.ts'
import type { Note, Remark, Step } from '../types/plan.ts'
import type { BlockedBy, DeclaredSite } from '../types/run.ts'
import type { Chat, RunContext } from './run.ts'

/** A step with resolved ids and slugs; `skipped` says why it changes nothing. */
interface CheckedStep extends Step {
  readonly skipped?: SkipReason | undefined
}

/** A valid plan: its effect and its omissions. */
export interface Sound {
  readonly ok: true
  readonly all: readonly CheckedStep[]
  /** The steps that change something. */
  readonly steps: readonly Step[]
  readonly change: DraftChange
  /** The outcome to commit; `undefined` if nothing changes. */
  readonly applied?: BatchSuccess
  readonly notes: readonly Remark[]
}

/** Why a plan may not be applied: it does not fit the draft, or the site or the demo does not allow it. */
export type Unsound = Broken | { readonly ok: false; readonly kind: 'blocked'; readonly by: BlockedBy }

/** Validates a plan by every rule, rehearses the remaining steps, and checks the limits of site and demo. */
export function check(
  steps: readonly Step[],
  { manifest, allowStructuralEdits }: DeclaredSite,
  { draft, selection: { slug: currentSlug } }: Pick<RunContext, 'draft' | 'selection'>,
  { clock, playground, maxOperations }: Pick<Chat, 'clock' | 'playground' | 'maxOperations'>,
): Sound | Unsound {
  const source = { draft: toDraft(draft), registry: builtinRegistry, manifest }
  const shaped = shape(steps, maxOperations)
  if (!shaped.ok) return shaped
  const { remaining, notes } = pruned(shaped.steps, source)
  const bad = badLinks(opsOf(remaining), source).slice(0, mostProblems)
  if (bad.length > 0)
    return broken('schema_violation', ...bad.map(({ path, problem }) => `${path}: ${problem}`))
  const now = clock.now()
  const { ownHosts } = draft
  const options = { playground, now, source: 'planner', currentSlug, ownHosts } as const
  const rehearsed = rehearse(remaining, { ...source, ...options })
  if (!rehearsed.ok) {
    const { category, problems } = rehearsed
    if (!playground || category !== 'planner_refusal') return rehearsed
    return { ok: false, kind: 'blocked', by: { kind: 'demo', problems } }
  }
  const structural = rehearsed.steps.filter(({ op }) => definitionOf(op).structural).map(({ op }) => op.op)
  if (allowStructuralEdits !== false || structural.length === 0) return { ...rehearsed, notes }
  return { ok: false, kind: 'blocked', by: { kind: 'structure', ops: [...new Set(structural)] } }
}

/**
 * Applies a plan to the draft in memory. Rejects steps that cannot be applied, for example because of a
 * missing target or an id in use, and drops steps that change nothing.
 */
function rehearse(
  steps: readonly Step[],
  { draft, ...options }: BatchOptions & { readonly draft: Draft },
): Omit<Sound, 'notes'> | Broken {
  const nothing = (all: readonly CheckedStep[]) =>
    ({ ok: true, all, steps: [], change: { pages: new Map(), placed: [] } }) as const
  if (steps.length === 0) return nothing(steps)
  const applied = applyBatch(draft, opsOf(steps), options)
  if (!applied.ok) {
    if (applied.category !== 'no_effective_change') return broken(applied.category, applied.message)
    return nothing(withReasons(steps, applied.skippedOps))
  }
  const { change, results } = applied
  const all = withReasons(
    applied.ops.map((op, index) => ({ ...steps[index], op })),
    results.skippedOps,
  )
  return isNoChange(change)
    ? nothing(all)
    : { ok: true, all, steps: all.filter(({ skipped }) => skipped === undefined), change, applied }
}

function withReasons(steps: readonly Step[], skips: readonly Skip[] = []): readonly CheckedStep[] {
  const reasons = new Map(skips.map(({ index, reason }) => [index - 1, reason]))
  return steps.map((step, index) => {
    const skipped = reasons.get(index)
    return skipped ? { ...step, skipped } : step
  })
}

/** Why a plan cannot be applied. */
type Broken = ReturnType<typeof broken>

/** Each problem names the operation and what to do instead. */
const broken = (category: ErrorCategory, ...problems: readonly string[]) =>
  ({ ok: false, kind: 'broken', category, problems }) as const

const mostProblems = 5

const opsOf = (steps: readonly Step[]) => steps.map(({ op }) => op)

/** Checks the shape of every operation and the length of the plan. */
function shape(
  steps: readonly Step[],
  maxOperations: number,
): { readonly ok: true; readonly steps: readonly Step[] } | Broken {
  if (steps.length > maxOperations) {
    const limit = `at most ${maxOperations} are applied at once; ask for less`
    return broken('schema_violation', `ops: the plan has ${steps.length} operations, and ${limit}`)
  }
  if (steps.length === 0) return { ok: true, steps }
  const parsed = parseOperations(opsOf(steps))
  if (parsed.ok) return { ok: true, steps: parsed.ops.map((op, index) => ({ ...steps[index], op })) }
  return broken('schema_violation', ...parsed.issues.map(({ path, message }) => `${path}: ${message}`))
}

/** The declared fields of a block or a row. */
interface Declared {
  readonly fields: Fields
  readonly schema: PropsSchema | undefined
}

/**
 * Removes props that a plan may not write into blocks and rows, with a note for each reason and block type.
 *
 * A step without remaining props is removed; a new block stays, and removed props get the starter values of
 * its type.
 */
function pruned(
  steps: readonly Step[],
  facts: TypeFacts,
): { readonly remaining: readonly Step[]; readonly notes: readonly Note[] } {
  const blockTypeOf = blockTypesFor(opsOf(steps), facts)
  const notes = new Map<string, Note>()
  const remaining = steps.flatMap((step): readonly Step[] => {
    const blockType = blockTypeOf(step.op)
    return blockType ? prunedStep(step, blockType) : [step]
  })
  return { remaining, notes: [...notes.values()] }

  function prunedStep(step: Step, blockType: BlockType): readonly Step[] {
    const { op } = step
    const { type, fields, propsSchema: schema } = blockType
    const without = (object: Props, declared: Declared = { fields, schema }): Props =>
      picked(object, (value, name) => {
        const kind = objectionTo(name, value, declared)
        if (kind) notes.set(`${kind} ${type}`, { kind, type })
        return kind === undefined
      })
    switch (op.op) {
      case 'add_block': {
        const accepted = without(op.block.props)
        const props = { ...lost(op.block.props, accepted, blockType), ...accepted }
        return [{ ...step, op: { ...op, block: { ...op.block, props } } }]
      }
      case 'update_props': {
        const patch = without(op.patch)
        return isEmptied(op.patch, patch) ? [] : [{ ...step, op: { ...op, patch } }]
      }
      case 'update_item': {
        const patch = without(op.patch, declaredRows(blockType, op.listKey))
        return isEmptied(op.patch, patch) ? [] : [{ ...step, op: { ...op, patch } }]
      }
      case 'add_item': {
        const item = without(op.item, declaredRows(blockType, op.listKey))
        return isEmptied(op.item, item) ? [] : [{ ...step, op: { ...op, item } }]
      }
      default:
        return [step]
    }
  }
}

/**
 * Why a plan may not write a prop; `undefined` if it may. Its block type does not declare it (a schema
 * without properties allows all), it is a reference, which a planner cannot know, or an image description
 * that reads as an instruction: some planners put the request there.
 */
function objectionTo(name: string, value: unknown, { fields, schema }: Declared): Note['kind'] | undefined {
  const kind = ownValue(fields, name)?.kind
  const isKnown = !schema?.properties || name === 'id' || name === '_key' || kind !== undefined
  if (!isKnown && !Object.hasOwn(schema.properties, name)) return 'unknown_props'
  if (kind === 'reference') return 'references'
  return kind === 'imageAlt' && readsAsInstruction(value) ? 'descriptions' : undefined
}

const isEmptied = (before: Props, after: Props): boolean =>
  Object.keys(before).length > 0 && Object.keys(after).length === 0

/** The starter values of the props that a new block lost. */
const lost = (before: Props, after: Props, { starter }: BlockType): Props =>
  picked(starter(), (_, name) => Object.hasOwn(before, name) && !Object.hasOwn(after, name))

/** Returns the declared row fields of a list, for all row variants. */
function declaredRows({ fields, propsSchema }: BlockType, listKey: string): Declared {
  const list = ownValue(fields, listKey)
  return {
    fields: list ? everyItemField(list) : {},
    schema: itemSchemaOf(ownValue(propsSchema.properties, listKey)),
  }
}
