import type * as v from 'valibot'
import type { Clock, Logger, Permission } from '../../../../kernel/index.ts'
import type { ScopedTokens } from '../../../auth/port.ts'
import type { BootstrapDraft, Drafts } from '../../../draft/port.ts'
import type { DriveImages } from '../../../media/gdrive/port.ts'
import type { Media } from '../../../media/port.ts'
import type { Outbound } from '../../../outbound/port.ts'
import type { PageCamera } from '../../../preview/port.ts'
import type { DraftId, Scope } from '../../../scope/port.ts'
import type { Sites } from '../../../sites/port.ts'
import type { Approvals } from './approvals.ts'
import { Problem } from '../problem.ts'
import type { AgentLog } from '../files/agent-log.ts'
import type { Journals } from '../files/journal.ts'
import type { Workspace } from '../files/workspace.ts'
import type { RunCopies } from './run-copies.ts'
import type { CreatedSite, Mode, Phase, SiteEvent } from './events.ts'
import type { createLaunchers, Launcher } from '../shell/launcher.ts'
import type { Servers } from '../shell/servers.ts'
import type { SitesAgentOptions } from '../settings.ts'

/** The dependencies of all runs. */
export interface SiteParts {
  readonly workspace: Workspace
  readonly journals: Journals
  readonly launchers: ReturnType<typeof createLaunchers>
  readonly servers: Servers
  readonly agentLog: AgentLog
  readonly outbound: Outbound
  readonly bootstrap: BootstrapDraft
  readonly drafts: Drafts
  readonly sites: Sites
  readonly scope: Scope
  readonly tokens: Pick<ScopedTokens, 'create' | 'remove'>
  readonly clock: Clock
  readonly log: Logger
  readonly media: Pick<Media, 'check'> | undefined
  readonly camera: PageCamera | undefined
  /** Absent without a Google Drive key. */
  readonly drive: DriveImages | undefined
  readonly settings: SiteSettings
}

/** The settings of created sites. */
export interface SiteSettings extends Readonly<v.InferOutput<typeof SitesAgentOptions>> {
  /** The address of this service for sites. */
  readonly orchestratorUrl: string
  /** An editor besides the studio. */
  readonly editorOrigin: string | undefined
  /** The draft secret of this service; if absent, each site gets its own. */
  readonly draftSecret: string | undefined
  /** True if the operator allows shell commands. */
  readonly fullShell: boolean
  /** The command line of this package; `undefined` in a website. */
  readonly ownCommand: readonly [string, ...string[]] | undefined
}

/** The access of the caller that a run may pass on. */
export interface RunAccess {
  readonly can: readonly Permission[]
  /** The end of the caller's access, in milliseconds since 1970. */
  readonly until: number | undefined
}

/** One run, as passed to its tools, with the dependencies of all runs. */
export interface SiteRun extends SiteParts {
  readonly streamId: string
  readonly mode: Mode
  readonly session: string
  readonly access: RunAccess
  readonly signal: AbortSignal
  readonly approvals: Approvals
  readonly launcher: Launcher
  readonly copies: RunCopies
  /** The sites that this run created or integrated. */
  readonly ready: Set<string>
  readonly created: CreatedSite[]
  /** The keys of permissions that a person granted for the complete run. */
  readonly allowed: Set<string>
  /** True once a person has approved the plan. */
  isPlanApproved: boolean
  emit(event: SiteEvent): void
  /** Announces a phase once. */
  begin(phase: Phase): void
  /** Reports the result of a phase. */
  outcome(phase: Phase, text: string): void
}

/** Returns the draft of a site in the session of a run. */
export const draftOf = ({ session, scope }: SiteRun, siteId: string): DraftId =>
  scope.draft({ siteId, session })

/** Marks the changes of a run. */
export const byRun = ({ streamId: id }: SiteRun) =>
  ({ actor: { kind: 'agent', id }, channel: 'agent' }) as const

/** Logs that a tool wrote a path of a site. */
export const logWrite = (run: SiteRun, tool: string, siteId: string, path: string): Promise<void> =>
  run.agentLog.append({ stream: run.streamId, tool, siteId, path })

const declined = (what: string): Problem =>
  new Problem(`${what} was declined, and nothing has changed. Ask the person what to do instead.`)

/** Applies the changes of a site once a person agrees. Throws a Problem otherwise. */
export async function applyChanges(
  { copies }: SiteRun,
  siteId: string,
  what = 'Changing the site',
  further: readonly string[] = [],
): Promise<'unchanged' | 'applied'> {
  const settled = await copies.settle(siteId, further)
  if (settled === 'declined') throw declined(what)
  return settled
}

type RunQuestion = Readonly<Record<'key' | 'header' | 'label' | 'what', string>> & {
  /** Its lines. */
  readonly question: string | readonly string[]
}

/** Asks a person, unless this was already allowed in the run. Throws a Problem otherwise. */
export async function agree(run: SiteRun, { question, key, what, ...option }: RunQuestion): Promise<void> {
  if (run.allowed.has(key)) return
  if (!(await run.approvals.allows(question, option))) throw declined(what)
  run.allowed.add(key)
}

/** Asks before the first program of a run whose processes may stay. Throws a Problem otherwise. */
export const allowLeft = (run: SiteRun): Promise<void> =>
  agree(run, {
    question: [
      'Run programs on this machine, where processes that they start may stay after their end? ' +
        'Even the end of the service may not end them.',
      'To prevent that, answer No and run the service on Linux, where bubblewrap (bwrap), unshare or cgroups work.',
    ],
    key: 'left',
    header: 'Processes',
    label: 'Allow',
    what: 'Running programs whose processes may stay',
  })

/** Asks before a program runs without a sandbox. Throws a Problem otherwise. */
export function allowCode(run: SiteRun, siteId: string, program: string): Promise<void> {
  const question =
    `This runs a command on the site '${siteId}' (${program}) without a sandbox: like every later one of this run, ` +
    'it has all rights of the service on this machine, and can read its keys. Allow it for this run?'
  return agree(run, { question, key: 'code', header: 'Run code', label: 'Allow', what: 'Running commands' })
}
