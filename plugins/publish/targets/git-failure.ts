import { stripVTControlCharacters } from 'node:util'
import { errorCode, type Logger } from '../../../kernel/index.ts'
import type { PublishOutcome } from '../port.ts'
import { failed } from '../outcome.ts'

/** What a publish by git may fail of, with its remedy. */
const causes = {
  hook: 'a hook of the repository refused it. Correct what the hook names',
  'remote hook':
    'a hook or a rule of the remote refused it. Correct what it names, or allow this account to push',
  lock: 'a lock of git is there: another git command is running, or one that was ended has left it. Wait for it, or remove the file that git names',
  signature: 'the commit could not be signed. Correct user.signingkey and its key, or unset commit.gpgsign',
  identity: 'git knows no name and address. Set user.name and user.email in the repository',
  rights:
    'access was denied. Check the account, its key and its rights at the remote, and those of the folder',
  network: 'the remote could not be reached. Check its address and the network',
  space: 'the disk is full. Free some space',
  time: 'git took longer than two minutes. Check the remote and the hooks',
  repository:
    'PUBLISHED_CONTENT_PATH, or the folder of the content, is in no work tree of git. Name one in it',
  ignored:
    'git ignores the file, so the remote would never get it. Remove its rule from .gitignore, or add it once with git add --force',
  submodule:
    'PUBLISHED_CONTENT_PATH leads into a submodule. Name the file in a checkout of that repository itself',
  outside: 'PUBLISHED_CONTENT_PATH is a link that leaves the repository. Name the file itself',
  'no commit': 'the repository has no commit yet. Make the first one',
  'own changes':
    'the folder of the content has commits or changes of its own. Push, commit or remove them there',
  'other branch': 'the folder of the content has another branch. Check out PUBLISH_GIT_BRANCH there',
  branch: 'the remote has no such branch. Push PUBLISH_GIT_BRANCH once',
  unknown: 'see the last lines of git, and the log of the service',
} as const
type Cause = keyof typeof causes

/** What git prints, or the system says, by cause; the first that matches counts. */
const printed: readonly (readonly [Cause, RegExp])[] = [
  ['remote hook', /\[remote rejected\]|hook declined|protected branch/],
  ['signature', /failed to sign|signing failed|signingkey|Couldn't (?:sign|load public key)/i],
  ['lock', /\.lock': File exists|cannot lock ref/],
  ['space', /No space left|Disk quota exceeded|\bENOSPC|\bEDQUOT/],
  ['identity', /tell me who you are|empty ident|auto-detect email/],
  ['repository', /not a git repository \(or any|must be run in a work tree/],
  [
    'rights',
    /denied|Authentication failed|could not read (?:Username|Password)|Host key verification|error: 40[13]|insufficient permission|dubious ownership|Read-only file system|\bE(?:ACCES|PERM|ROFS)\b/i,
  ],
  [
    'network',
    /resolve host|unable to access|Connection|timed out|unreachable|hung up|early EOF|does not appear to be a git repository|access rights|not found/i,
  ],
]

const steps = {
  working_tree_not_clean:
    'The work tree has other changes. Commit or remove them, or unset PUBLISH_GIT_STRICT.',
  commit_failed: 'The content could not be committed',
  push_failed: 'The content could not be pushed, so nothing was changed',
} as const
type GitStep = keyof typeof steps

/** A publish that is refused before git is called. */
export class GitRefusal extends Error {
  readonly why: Cause
  readonly stderr: string
  constructor(why: Cause, stderr = '') {
    super(causes[why])
    this.name = 'GitRefusal'
    this.why = why
    this.stderr = stderr
  }
}

/** Returns all that a run of git has printed. */
export function outputOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const [first, second] = ['stdout' in error ? error.stdout : '', 'stderr' in error ? error.stderr : '']
  return `${String(first)}\n${String(second)}`
}

/**
 * Waits for a commit or push, whose hooks print what they want: if one refuses it, git itself ends with 1 and
 * lists nothing.
 */
export async function withHooks(run: Promise<string>): Promise<string> {
  return run.catch((error: unknown) => {
    const isListed = error instanceof Error && 'stdout' in error && /^!/m.test(String(error.stdout))
    const isRefused = error instanceof Error && 'code' in error && error.code === 1 && !isListed
    throw isRefused ? new GitRefusal('hook', outputOf(error)) : error
  })
}

function causeOf(error: unknown): Cause {
  if (error instanceof GitRefusal) return error.why
  if (error instanceof Error && 'killed' in error && error.killed === true) return 'time'
  const output = `${errorCode(error)} ${outputOf(error)}`
  return printed.find(([, pattern]) => pattern.test(output))?.[0] ?? 'unknown'
}

const [mostLines, linesInSentence, longestLine] = [12, 3, 200]

/** The lines with a cause, and not those with advice. */
const ofGitItself = /^(?:fatal|error|remote|gpg|!)/

/** Removes what must not leave the server, also of what hooks print: values of secrets, and paths. */
const masked = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(
      /\b(\w*(?:token|secret|passw(?:or)?d|api_?key|authorization)\w*["']?\s*[=:]\s*)\S+/gi,
      '$1[redacted]',
    )
    .replace(/file:\/\/\S*\//g, '…/')
    .replace(/(?<![\w/.@-])\/(?!\/)(?:[^\s/'":,;|]+\/)+/g, '…/')

/** Creates the outcomes of publishes by git that fail: clients expect the step in `reason`. */
export function createBroken(redact: (text: string) => string) {
  return (
    reason: GitStep,
    error?: unknown,
    lines: readonly string[] = linesOf(outputOf(error)),
  ): PublishOutcome => {
    const details = lines.slice(-mostLines).map((line) => redact(masked(line)).slice(0, longestLine))
    const cause = causeOf(error)
    const own = cause === 'hook' ? [] : details.filter((line) => ofGitItself.test(line))
    const last = (own.length > 0 ? own : details).slice(-linesInSentence).join(' | ')
    const ofGit = last === '' ? '' : ` Git: ${last.replace(/\.$/, '')}.`
    const sentence =
      reason === 'working_tree_not_clean'
        ? steps[reason]
        : `${steps[reason]}: ${causes[cause]}, then publish again.${ofGit}`
    const tracker = { deployStatus: 500, deployResponse: 'git_publish' }
    return failed(400, sentence, { code: reason, tracker, facts: { reason, details } })
  }
}

/** Creates what makes a failed publish of an error in a step; that of a publish that was aborted is thrown. */
export const createFailing =
  (broken: ReturnType<typeof createBroken>, log: Logger) =>
  (step: GitStep, signal: AbortSignal) =>
  (err: unknown): PublishOutcome => {
    if (signal.aborted) throw err
    log.error({ err }, 'git publish failed')
    return broken(isOfPlace(err) ? 'commit_failed' : step, err)
  }

/** Whether a file cannot be created, so that nothing can be committed. */
const isOfPlace = (error: unknown): boolean =>
  error instanceof GitRefusal || /not a git repository \(or any/.test(outputOf(error))

const linesOf = (output: string): readonly string[] =>
  output.split(/[\r\n]+/).filter((line) => line.trim() !== '' && !line.startsWith('hint:'))
