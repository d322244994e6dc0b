import { defineRefusal } from '../../../../kernel/index.ts'

/** Refusals of the routes. */
export const refusals = {
  noPendingApproval: defineRefusal({
    status: 410,
    code: 'no_pending_approval',
    reason: () => 'This run has no open question. Follow its stream, and answer the questions in it.',
  }),
  approvalMismatch: defineRefusal({
    status: 409,
    code: 'approval_mismatch',
    reason: () => 'The run has a newer question. Answer the latest question of its stream.',
  }),
  unknownQuestion: defineRefusal({
    status: 400,
    code: 'unknown_question',
    reason: () => 'Answer exactly the open questions, each under the text of its question.',
  }),
  messageRequired: defineRefusal({
    status: 400,
    code: 'message_required',
    reason: () => 'message is required: describe the request in 1 to 8,000 characters.',
  }),
  invalidMode: defineRefusal({
    status: 400,
    code: 'invalid_mode',
    reason: () => 'mode must be create, migrate or integrate; omit it to have it chosen automatically.',
  }),
  answersRequired: defineRefusal({
    status: 400,
    code: 'answers_required',
    reason: () =>
      'answers is required: an object with an answer of at most 2,000 characters under the text of each question.',
  }),
  notConfigured: defineRefusal({
    status: 503,
    code: 'sites_agent_not_configured',
    reason: (what: string) => what,
  }),
  cliUnavailable: defineRefusal({
    status: 501,
    code: 'cli_unavailable',
    reason: () =>
      'useCliAgent gets its tools from the command line of this package, which a mount in a website does not have. Run the orchestrator as a server of its own, or omit useCliAgent.',
  }),
} as const
