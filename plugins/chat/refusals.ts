import { defineRefusal } from '../../kernel/index.ts'
import { shortened } from './shortened.ts'

export const messageRequired = defineRefusal({
  status: 400,
  code: 'invalid_request',
  readable: true,
  reason: () => 'message is required: say in words what is to be changed',
  extra: () => ({ details: [{ path: 'message', message: 'message is required' }] }),
})

export const badAcceptedOps = defineRefusal({
  status: 400,
  code: 'invalid_request',
  readable: true,
  reason: (why: string) => `acceptedOps ${why}. Send the numbers of the operations to apply, from 1, each once.`,
  extra: (why) => ({ details: [{ path: 'acceptedOps', message: why }] }),
})

export const pageNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  readable: true,
  reason: (slug: string, notice = '') =>
    `The draft has no page '${shortened(slug)}'. Open one that GET /draft/slugs lists, or ask for a new page. ${notice}`.trimEnd(),
})

export const blockNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  readable: true,
  reason: () => 'The draft has no block with this activeBlockId. Select one that GET /draft/pages shows.',
})

export const noVariation = defineRefusal({
  status: 400,
  code: 'no_valid_variation',
  readable: true,
  reason: (why: string) => why,
})

export const planNotFound = defineRefusal({
  status: 404,
  code: 'plan_not_found',
  readable: true,
  reason: () => 'No such plan waits in this session: it was applied, dropped or replaced, or its hour is over. Ask for it again.',
})

export const otherPlan = defineRefusal({
  status: 409,
  code: 'pending_plan_mismatch',
  readable: true,
  reason: () => 'Another plan waits by now, so nothing was discarded. GET /chat/plans shows which.',
})

export const noChain = defineRefusal({
  status: 409,
  code: 'no_chain',
  readable: true,
  reason: () =>
    'There is nothing to continue: no request of this session is done in steps, which takes a language model, or its hour is over. Send the next step as a message.',
})

export const otherChain = defineRefusal({
  status: 409,
  code: 'chain_mismatch',
  readable: true,
  reason: () => 'Another request is done in steps by now, so nothing was continued. Continue the one that the last result tells of.',
})

export const chainFinished = defineRefusal({
  status: 409,
  code: 'chain_finished',
  readable: true,
  reason: (steps: number) => `All ${steps} steps of this request are done. Say what you would like to change next.`,
})

export const chainMoved = defineRefusal({
  status: 409,
  code: 'chain_moved',
  readable: true,
  reason: () => 'The step was run meanwhile, so it was not run again. Look at what it changed, then continue.',
})

export const sessionBusy = defineRefusal({
  status: 409,
  code: 'session_busy',
  readable: true,
  reason: (seconds: number) =>
    `Another message of this session is still being worked on, after ${seconds} seconds. Wait until it is done, or cancel it, and send this one again.`,
})
