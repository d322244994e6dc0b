import type { Clock, Logger, Verb } from '../../../kernel/index.ts'
import type { LoopAnswer } from '../../agent/port.ts'
import type { ScopedTokens } from '../../auth/port.ts'
import type { BootstrapDraft, Drafts } from '../../draft/port.ts'
import type { DriveImages } from '../../gdrive/port.ts'
import { fenced } from '../../llm/port.ts'
import type { Media } from '../../media/port.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { PageCamera } from '../../preview/port.ts'
import type { DraftId, Scope } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'
import type { Approvals } from './approvals.ts'
import type { AgentLog } from '../files/agent-log.ts'
import type { Workspace } from '../files/workspace.ts'
import type { RunSites } from './run-sites.ts'
import type { CreatedSite, Mode, Phase, SiteEvent } from './events.ts'
import type { Launcher } from '../shell/launcher.ts'
import type { Servers } from '../shell/servers.ts'

/** What all runs share. */
export interface SiteParts {
  readonly workspace: Workspace
  readonly launcher: Launcher
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
  /** Absent without a key for Google Drive. */
  readonly drive: DriveImages | undefined
  readonly settings: SiteSettings
}

/** What sites are made with. */
export interface SiteSettings {
  /** What a package.json says about this package. */
  readonly packageSpec: string
  /** The address of this service, as sites call it. */
  readonly orchestratorUrl: string
  readonly editorOrigin: string
  /** The secret of drafts that this service has; a site gets one of its own without it. */
  readonly draftSecret: string | undefined
  /** The operator lets commands be lines of a shell. */
  readonly fullShell: boolean
  /** Where repositories are cloned from. */
  readonly gitHost: string
  /** What starts the command line of this package; `undefined` in a website. */
  readonly ownCommand: readonly [string, ...string[]] | undefined
}

/** What a run may be given of the access of its caller. */
export interface RunAccess {
  readonly can: readonly Verb[]
  /** When the access of the caller ends, in milliseconds since 1970. */
  readonly until: number | undefined
}

/** One run, as its tools see it. */
export interface SiteRun {
  readonly streamId: string
  readonly mode: Mode
  readonly session: string
  readonly access: RunAccess
  readonly signal: AbortSignal
  readonly approvals: Approvals
  readonly sites: RunSites
  /** Sites that this run made or integrated. */
  readonly ready: Set<string>
  readonly created: CreatedSite[]
  /** What was allowed for all of this run. */
  readonly allowed: Set<string>
  /** A person has agreed to what is to be built. */
  isPlanApproved: boolean
  tell(event: SiteEvent): void
  /** Announces a phase, once. */
  begin(phase: Phase): void
  /** Says what came of a phase. */
  outcome(phase: Phase, text: string): void
}

/** The draft of a site in the session of a run. */
export const draftOf = ({ session }: Pick<SiteRun, 'session'>, siteId: string, scope: Scope): DraftId => scope.draft({ siteId, session })

/** What a model is told: data, fenced, because it comes from files, programs and other websites. */
export const told = (value: unknown): LoopAnswer => ({ text: fenced('tool result', value) })
