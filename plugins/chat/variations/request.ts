import * as v from 'valibot'
import { RequiredSlug } from '../../scope/port.ts'
import { ChatRequest } from '../request.ts'

const { executionMode: _mode, pendingPlanId: _plan, acceptedOps: _ops, continuationChainId: _chain, attachments: _attachments, ...entries } = ChatRequest.entries
const required = (name: string) => v.pipe(v.string(), v.trim(), v.nonEmpty(`${name} is required`))

/** A message about one block, for which other contents are wanted. */
export const VariationRequest = v.object({
  ...entries,
  slug: RequiredSlug,
  message: v.pipe(required('message'), v.examples(['Give me three shorter variations'])),
  /** The block that is to be varied. */
  activeBlockId: v.pipe(required('activeBlockId'), v.examples(['b_hero_home'])),
})
export type VariationRequest = v.InferOutput<typeof VariationRequest>
