import { defineRefusal } from '../../../kernel/index.ts'

/** Refusals of the routes and tools; a model sees the reason of a tool's refusal. */
export const refusals = {
  installFailed: defineRefusal({
    status: 502,
    code: 'install_failed',
    reason: (output: string) => `The packages could not be installed: ${output}`,
  }),
  notOnce: defineRefusal({
    status: 409,
    code: 'not_once',
    reason: (count: number) =>
      `The text occurs ${count} times in the file. Read the file, and use a text that occurs exactly once.`,
  }),
  noPreset: defineRefusal({
    status: 400,
    code: 'theme_unknown',
    reason: (names: string) => `This theme does not exist. Available themes: ${names}.`,
  }),
  noPages: defineRefusal({
    status: 400,
    code: 'invalid_pages',
    reason: (why: string) => `None of the pages is valid: ${why}.`,
  }),
  badRepository: defineRefusal({
    status: 400,
    code: 'invalid_repository',
    reason: () =>
      'Only public repositories of GitHub can be cloned: use https://github.com/owner/name, or owner/name.',
  }),
  cloneFailed: defineRefusal({
    status: 502,
    code: 'clone_failed',
    reason: (output: string) => `The repository could not be cloned within its limits: ${output}`,
  }),
  noCamera: defineRefusal({
    status: 503,
    code: 'browser_missing',
    reason: () =>
      'No browser for screenshots is available. Load the preview plugin, and install the packages that it names.',
  }),
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
  unanswered: defineRefusal({
    status: 408,
    code: 'approval_unanswered',
    reason: () =>
      'The question was not answered within 10 minutes, so the run ended without further changes. Start it again, and answer its questions.',
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
  wrongOrder: defineRefusal({ status: 409, code: 'wrong_order', reason: (what: string) => what }),
  declined: defineRefusal({
    status: 409,
    code: 'declined',
    reason: (what: string) =>
      `${what} was declined, and nothing has changed. Ask the person what to do instead.`,
  }),
  commandRefused: defineRefusal({
    status: 400,
    code: 'command_refused',
    reason: (why: string) => `The command was not run: ${why}.`,
  }),
  siteFiles: defineRefusal({ status: 400, code: 'site_unusable', reason: (why: string) => `${why}.` }),
} as const
