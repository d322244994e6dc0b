import { defineRefusal } from '../../kernel/index.ts'

/** What is refused: to clients of the routes with these statuses, to a model as the text of a tool that failed. */
export const refusals = {
  outside: defineRefusal({
    status: 400,
    code: 'path_outside',
    reason: () => 'This path does not lie inside of the site, or a link is on the way to it. Use a path from the folder of the site.',
  }),
  isProtected: defineRefusal({
    status: 400,
    code: 'path_protected',
    reason: () => 'Files with this name are neither read nor written by an agent: repositories, variables and keys. Ask the person who owns the site.',
  }),
  notThere: defineRefusal({ status: 404, code: 'not_found', reason: () => 'There is no file or folder at this path. List the folder first.' }),
  isFolder: defineRefusal({ status: 400, code: 'is_folder', reason: () => 'This path is a folder. Name a file in it.' }),
  tooLarge: defineRefusal({ status: 413, code: 'too_large', reason: (most: number) => `The file has more than ${most} bytes. Read or change a smaller one.` }),
  tooManyFiles: defineRefusal({ status: 413, code: 'too_many_files', reason: (most: number) => `The site has more than ${most} files. Move what does not belong to it elsewhere.` }),
  programMissing: defineRefusal({ status: 503, code: 'program_missing', reason: (name: string) => `The program '${name}' is not installed on the server. Install it, or have its folder in PATH.` }),
  badSiteId: defineRefusal({
    status: 400,
    code: 'invalid_site_id',
    reason: (rule: string) => `This is not a site id that can be a folder: use ${rule}.`,
  }),
  noSite: defineRefusal({ status: 404, code: 'site_not_found', reason: () => 'There is no such site in the workspace. list_sites names those that are there.' }),
  siteExists: defineRefusal({ status: 409, code: 'site_exists', reason: (id: string) => `The workspace has a folder '${id}' already. Choose another site id.` }),
  siteChanged: defineRefusal({
    status: 409,
    code: 'site_changed',
    reason: (path: string) => `'${path}' was changed in the site after the copy was made, so nothing was applied. Start the run again.`,
  }),
  tooManyServers: defineRefusal({ status: 429, code: 'too_many_servers', reason: (most: number) => `${most} development servers run already. Stop the service to end them, or work on one of their sites.` }),
  serverFailed: defineRefusal({ status: 502, code: 'server_failed', reason: (output: string) => `The site did not start. It wrote: ${output || 'nothing'}` }),
  noPort: defineRefusal({ status: 503, code: 'no_port', reason: () => 'No port from 3500 to 3999 is free on this machine. End what listens there.' }),
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
