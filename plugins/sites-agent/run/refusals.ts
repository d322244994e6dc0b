import { defineRefusal } from '../../../kernel/index.ts'

/** What is refused: to clients of the routes with these statuses, to a model as the text of a tool that failed. */
export const refusals = {
  installFailed: defineRefusal({ status: 502, code: 'install_failed', reason: (output: string) => `The packages could not be installed: ${output}` }),
  notOnce: defineRefusal({ status: 409, code: 'not_once', reason: (count: number) => `The text stands ${count} times in the file, and not once. Read the file, and name a text that stands there once.` }),
  noPreset: defineRefusal({ status: 400, code: 'theme_unknown', reason: (names: string) => `There is no such theme. There are ${names}.` }),
  noPages: defineRefusal({ status: 400, code: 'invalid_pages', reason: (why: string) => `None of the pages can be used: ${why}.` }),
  badRepository: defineRefusal({ status: 400, code: 'invalid_repository', reason: () => 'Only public repositories of GitHub can be cloned: use https://github.com/owner/name, or owner/name.' }),
  cloneFailed: defineRefusal({ status: 502, code: 'clone_failed', reason: (output: string) => `The repository could not be cloned within its limits: ${output}` }),
  noCamera: defineRefusal({ status: 503, code: 'browser_missing', reason: () => 'There is no browser for pictures of pages here. Have the plugin preview loaded, and install what it names.' }),
  noPendingApproval: defineRefusal({ status: 410, code: 'no_pending_approval', reason: () => 'This run asks nothing at the moment. Follow its stream, and answer what it asks.' }),
  approvalMismatch: defineRefusal({ status: 409, code: 'approval_mismatch', reason: () => 'The run asks something else by now. Answer the newest question of its stream.' }),
  unknownQuestion: defineRefusal({ status: 400, code: 'unknown_question', reason: () => 'The answers have to be those to the open questions, each under the text of its question.' }),
  unanswered: defineRefusal({ status: 408, code: 'approval_unanswered', reason: () => 'The question was not answered within 10 minutes, so the run ended and nothing more was changed. Start it again, and answer its questions.' }),
  messageRequired: defineRefusal({ status: 400, code: 'message_required', reason: () => 'message is required: say in 1 to 8,000 characters what is wanted.' }),
  invalidMode: defineRefusal({ status: 400, code: 'invalid_mode', reason: () => 'mode has to be create, migrate or integrate; leave it out to have it chosen.' }),
  streamRequired: defineRefusal({ status: 400, code: 'stream_required', reason: () => 'streamId is required: the one that POST /sites-agent/start answered.' }),
  answersRequired: defineRefusal({ status: 400, code: 'answers_required', reason: () => 'answers is required: an object with an answer of at most 2,000 characters under the text of each question.' }),
  streamGone: defineRefusal({ status: 410, code: 'stream_gone', reason: () => 'This run is not there any more. Start again with POST /sites-agent/start.' }),
  notConfigured: defineRefusal({ status: 503, code: 'sites_agent_not_configured', reason: (what: string) => what }),
  wrongOrder: defineRefusal({ status: 409, code: 'wrong_order', reason: (what: string) => what }),
  declined: defineRefusal({ status: 409, code: 'declined', reason: (what: string) => `${what} was declined, and nothing was changed. Ask the person what is wanted instead.` }),
  commandRefused: defineRefusal({ status: 400, code: 'command_refused', reason: (why: string) => `The command was not run: ${why}.` }),
  siteFiles: defineRefusal({ status: 400, code: 'site_unusable', reason: (why: string) => `${why}.` }),
} as const
