import type { Clock, KeyedQueue, Logger } from '../../../kernel/index.ts'
import type { AgentLoop, ContentAgent } from '../loop/port.ts'
import type { Drafts } from '../../draft/port.ts'
import type { ModelClient, Picture } from '../../models/port.ts'
import type { Media } from '../../media/port.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { Publishing } from '../../publish/port.ts'
import type { DraftId, Scope } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'
import { collectAttachments, toParts } from './instruction.ts'
import { type CommentKind, comments } from './comments.ts'
import type { Decision } from './decide.ts'
import type { Jira } from './jira.ts'
import { readAdf } from './read-adf.ts'
import type { RunRecord } from './records.ts'
import { isSameStatus } from './routing.ts'
import type { Issue } from './schemas.ts'
import type { JiraConnection, JiraSettings, JiraVariables } from './settings.ts'
import { chooseSite, linksTo, type PageLinks } from './site.ts'
import type { ThreadComment } from './thread.ts'
import type { Ticket, Tickets, TicketState } from './tickets.ts'

/** The dependencies of ticket runs. */
export interface RunContext {
  readonly jira: Jira
  readonly connection: JiraConnection
  readonly settings: JiraSettings
  readonly env: Pick<
    JiraVariables,
    'JIRA_SESSION' | 'JIRA_SITE_ID' | 'JIRA_MAX_REVIEW_PASSES' | 'SITE_PUBLIC_ORIGIN' | 'EDITOR_PUBLIC_ORIGIN'
  >
  readonly tickets: Tickets
  readonly drafts: Drafts
  readonly sites: Sites
  readonly scope: Scope
  readonly media: Media
  readonly outbound: Outbound
  readonly publishing: Publishing
  readonly agent: ContentAgent
  readonly loop: AgentLoop
  readonly model: ModelClient | undefined
  /** Allows one execute or publish per draft. */
  readonly turns: KeyedQueue<string>
  readonly redact: (text: string) => string
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

/** The outcome of a run, for its record and its caller. */
export type TicketOutcome = { readonly state: TicketState; readonly summary: string } & Partial<
  Pick<RunRecord, 'changes' | 'published'>
>

/** A run that cannot continue; the reason is for people. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: string

  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

/** The codes of failures that only a person can resolve: the ticket asks, and the run is not retried. */
export const asking: ReadonlySet<string> = new Set(['ambiguous_site', 'no_site'])

/** The ticket of a run as it was read, and what was decided about it. */
interface OpenTicket {
  readonly key: string
  readonly issue: Issue
  readonly thread: readonly ThreadComment[]
  readonly ticket: Ticket
  readonly decision: Extract<Decision, { readonly mode: string }>
}

/** One run of a ticket, with the steps of all modes. */
export type TicketRun = ReturnType<typeof openRun>

type Noted = { -readonly [K in keyof RunRecord]?: RunRecord[K] }

/** Creates the steps of a run, which all modes share. */
export function openRun(context: RunContext, opened: OpenTicket) {
  const { key, issue, thread, ticket, decision } = opened
  const { jira, settings, env, tickets, sites, scope, media, redact, log } = context
  const { fields } = issue
  const noted: Noted = {}
  const transitions: string[] = []
  const people = thread.filter(({ kind }) => kind === undefined)
  let status = fields.status.name

  return {
    ...context,
    ...opened,
    /** The contents of the run's record besides its outcome. */
    noted,
    transitions,
    comment: (kind: CommentKind, text: string): Promise<void> => comment(context, key, kind, text),
    /** Moves the ticket, if a transition exists. */
    async move(to: string): Promise<void> {
      if (isSameStatus(status, to)) return
      if (!(await jira.move(key, to))) {
        return log.warn({ issueKey: key, status: to }, 'a ticket has no transition to this status')
      }
      status = to
      transitions.push(to)
    },
    /** Assigns the ticket to the last commenter. The run continues if Jira does not allow it. */
    async assignBack(): Promise<void> {
      const { trigger, user } = decision.request
      const author = trigger === 'comment' || trigger === 'poll' ? people.at(-1)?.author : undefined
      const person = author ?? fields.reporter ?? user
      await (person &&
        jira
          .assign(key, person)
          .catch((err: unknown) => log.warn({ err, issueKey: key }, 'a ticket could not be assigned back')))
    },
    /** Chooses the draft for the ticket. Asks and stops if its site is unknown. */
    async chooseDraft(): Promise<DraftId> {
      const text = [fields.summary, readAdf(fields.description), ...people.map((each) => each.text)].join(
        '\n',
      )
      const registered = await sites.list(env.JIRA_SESSION)
      const choice = chooseSite(text, registered, env.JIRA_SITE_ID)
      if ('siteId' in choice) {
        const id = scope.draft({ siteId: choice.siteId, session: env.JIRA_SESSION })
        Object.assign(noted, id)
        return id
      }
      const names = registered.map(({ id, siteName }) => `${id} (${siteName})`)
      await comment(context, key, 'which-site', comments.whichSite(names))
      throw new RunFailure(
        choice.none,
        choice.none === 'no_site'
          ? 'No site is registered for this ticket.'
          : 'The ticket could refer to several sites.',
      )
    },
    /** Returns the text and images of the ticket, with its attachments. */
    async instruct() {
      const collected = await collectAttachments(fields.attachment, {
        ...context,
        stored: new Map(ticket.images),
      })
      await tickets.change(key, () => ({ images: [...collected.stored] }))
      const parts = toParts({ issue, thread, collected })
      if (settings.tracesInstructions)
        noted.instruction = redact(parts.map(({ title, text }) => `## ${title}\n${text}`).join('\n\n'))
      return {
        parts,
        pictures: await picturesOf(
          collected.images.map(({ url }) => url),
          media,
        ),
      }
    },
    async linksOf(id: DraftId, slugs: readonly string[]): Promise<readonly PageLinks[]> {
      const base =
        (await sites.previewUrl(id)) ??
        (env.SITE_PUBLIC_ORIGIN ?? 'http://localhost:3000').split(',', 1).join()
      return linksTo(slugs, { id, base, editorOrigin: env.EDITOR_PUBLIC_ORIGIN })
    },
  }
}

/** Writes a comment and stores its id. */
export async function comment(of: RunContext, key: string, kind: CommentKind, text: string): Promise<void> {
  const { jira, tickets, redact, clock } = of
  const { id, created } = await jira.comment(key, redact(text))
  const own = { id, kind, at: Date.parse(created) || clock.now().getTime() }
  await tickets.change(key, (now) => ({ comments: [...now.comments, own] }))
}

/** The limits of images for the model: their number, and the bytes of one. */
const mostPictures = 4
const mostBytes = 3_500_000

async function picturesOf(
  urls: readonly string[],
  media: Pick<Media, 'open' | 'check'>,
): Promise<readonly Picture[]> {
  const pictures: Picture[] = []
  for (const url of urls.slice(0, mostPictures)) {
    const blob = await media.open(url)
    if (blob && blob.size <= mostBytes)
      pictures.push(await media.check(Buffer.concat(await Array.fromAsync(blob.bytes))))
  }
  return pictures
}
