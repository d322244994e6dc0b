/** A local server of Jira Cloud (REST API v3) and Jira Server (v2). */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { toAdf } from '../../plugins/agents/jira/testing.ts'
import { answering, redirecting, type AnswerWriter } from './answers.ts'
import { serve, type TeardownTest } from './raw.ts'

/** One received request. */
export interface SeenRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Replaces the usual answer; returns `false` to keep it. */
export type Fault = (response: ServerResponse, seen: SeenRequest) => unknown

export interface StoredComment {
  readonly id: string
  readonly author: Account | undefined
  readonly body: unknown
  readonly created: string
  readonly updated: string
}

interface Account {
  readonly accountId?: string
  readonly name?: string
  readonly displayName: string
}

/** A file of a ticket; `location` redirects to it. */
export interface StoredFile {
  readonly filename: string
  readonly mimeType: string
  readonly bytes?: Uint8Array
  readonly location?: string
  readonly content?: string
  readonly size?: number
}

interface StoredIssue {
  readonly key: string
  summary: string
  description: unknown
  status: string
  assignee: string | undefined
  reporter: string
  readonly comments: StoredComment[]
  readonly files: readonly StoredFile[]
  updated: number
}

const NewComment = v.object({ body: v.unknown() })
const Doc = v.object({
  type: v.literal('doc'),
  version: v.literal(1),
  content: v.pipe(v.array(v.unknown()), v.minLength(1)),
})
const Transition = v.object({ transition: v.object({ id: v.string() }) })
const Assignee = v.object({ accountId: v.optional(v.string()), name: v.optional(v.string()) })
const workflow = ['To Do', 'In Progress', 'In Review', 'Done', 'Failed']

export const token = 'marker-jira-api-token'
export const email = 'bot@acme.example'

/** Starts Jira on a free port of 127.0.0.1. Its clock advances by a second with every write. */
export async function startJira(
  t: TeardownTest,
  { deployment = 'cloud' }: { readonly deployment?: 'cloud' | 'server' } = {},
) {
  const isCloud = deployment === 'cloud'
  const base = `/rest/api/${isCloud ? 3 : 2}`
  const issues = new Map<string, StoredIssue>()
  const seen: SeenRequest[] = []
  const faults = new Map<string, Fault>()
  const problems: unknown[] = []
  const state = { clock: Date.UTC(2026, 0, 1, 12), ids: 10_000, me: 'bot', moves: [...workflow] }
  /** The time of a webhook, which no other has. */
  const timestamp = (): number => Date.now() + (state.ids += 1)
  const accountOf = (name: string): Account =>
    isCloud ? { accountId: name, displayName: name.toUpperCase() } : { name, displayName: name.toUpperCase() }
  const stamp = (): string => new Date((state.clock += 1000)).toISOString().replace('Z', '+0000')
  const expected = isCloud
    ? `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`
    : `Bearer ${token}`

  const answer = (call: SeenRequest): AnswerWriter => {
    const { method, url, headers, body } = call
    if (headers.authorization !== expected)
      return answering(401, { errorMessages: ['marker: no credential'] })
    if (url.pathname.startsWith('/files/')) return fileAt(url)
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : undefined
    if (path === '/myself') return answering(200, accountOf(state.me))
    if (path === (isCloud ? '/search/jql' : '/search')) return search(url.searchParams)
    const [, key = '', rest = ''] = /^\/issue\/([^/]+)(\/.*)?$/.exec(path ?? '') ?? []
    const issue = issues.get(key)
    if (!issue)
      return answering(404, {
        errorMessages: ['marker: Issue does not exist or you do not have permission to see it.'],
      })
    const ways = state.moves.map((name, at) => ({ id: String(at + 11), name: `Go to ${name}`, to: { name } }))
    const done: AnswerWriter = (response) => void response.writeHead(204).end()
    const on: Readonly<Record<string, () => AnswerWriter>> = {
      'GET ': () => answering(200, toIssue(issue)),
      'GET /comment': () => {
        const [startAt = 0, maxResults = 0] = ['startAt', 'maxResults'].map((n) =>
          Number(url.searchParams.get(n)),
        )
        const comments = issue.comments.slice(startAt, startAt + maxResults)
        return answering(200, { startAt, maxResults, total: issue.comments.length, comments })
      },
      'POST /comment': () => {
        const { body: said } = v.parse(NewComment, body)
        v.parse(isCloud ? Doc : v.string(), said)
        return answering(201, add(key, state.me, said))
      },
      'GET /transitions': () => answering(200, { expand: 'transitions', transitions: ways }),
      'POST /transitions': () => {
        const way = ways.find(({ id }) => id === v.parse(Transition, body).transition.id)
        if (!way) return answering(400, { errorMessages: ['marker: no such transition'] })
        issue.status = way.to.name
        issue.updated = state.clock += 1000
        return done
      },
      'PUT /assignee': () => {
        const { accountId, name } = v.parse(Assignee, body)
        issue.assignee = isCloud ? accountId : name
        return done
      },
    }
    const handle = on[`${method} ${rest}`]
    return handle ? handle() : answering(405, { errorMessages: ['marker: not allowed'] })
  }

  function add(key: string, by: string | undefined, body: unknown): StoredComment {
    const issue = issues.get(key)
    if (!issue) throw new Error(`no issue ${key}`)
    const created = stamp()
    const author = by === undefined ? undefined : accountOf(by)
    const comment = { id: String(++state.ids), author, body, created, updated: created }
    issue.comments.push(comment)
    issue.updated = state.clock
    return comment
  }

  /** Supports names of statuses, and paging. */
  function search(query: URLSearchParams): AnswerWriter {
    const jql = query.get('jql') ?? ''
    if (!query.has('fields')) return answering(400, { errorMessages: ['marker: fields are required'] })
    const [, names = ''] = /status in \(([^)]*)\)/.exec(jql) ?? []
    const statuses = names.split(', ').map((name) => String(JSON.parse(name)).toLowerCase())
    const found = [...issues.values()]
      .filter(({ status }) => statuses.includes(status.toLowerCase()))
      .toSorted((a, b) => a.updated - b.updated)
    const size = Number(query.get('maxResults'))
    const start = Number(isCloud ? (query.get('nextPageToken')?.slice(5) ?? 0) : query.get('startAt'))
    const page = found.slice(start, start + size).map(({ key, status, updated }) => {
      return { key, fields: { status: { name: status }, updated: new Date(updated).toISOString() } }
    })
    const isLast = start + size >= found.length
    const next = isLast ? {} : { nextPageToken: `page-${start + size}` }
    const place = isCloud ? { isLast, ...next } : { startAt: start, maxResults: size, total: found.length }
    return answering(200, { issues: page, ...place })
  }

  function toIssue({ key, status, assignee, reporter, comments, files, summary, description }: StoredIssue) {
    const attachment = files.map(({ filename, mimeType, bytes, size = bytes?.length ?? 1, content }, at) => {
      return { id: String(at), filename, mimeType, size, content: content ?? `${origin}/files/${key}/${at}` }
    })
    const people = { reporter: accountOf(reporter), creator: accountOf(reporter) }
    const fields = { summary, description, status: { name: status }, labels: [], attachment, ...people }
    const comment = { comments: comments.slice(0, 1), total: comments.length }
    const assigned = assignee === undefined ? null : accountOf(assignee)
    return { id: '1', key, fields: { ...fields, assignee: assigned, comment } }
  }

  function fileAt(url: URL): AnswerWriter {
    const [, , key = '', at = ''] = url.pathname.split('/')
    const file = issues.get(key)?.files[Number(at)]
    if (file?.location !== undefined) return redirecting(file.location, 303)
    return (response) =>
      void (file?.bytes
        ? response.writeHead(200, { 'content-type': file.mimeType }).end(file.bytes)
        : response.writeHead(404).end())
  }

  const origin = await serve(t, (request, response) => {
    response.on('error', () => undefined)
    void text(request)
      .then((raw) => {
        const url = new URL(request.url ?? '/', origin)
        const call = {
          method: request.method ?? '',
          url,
          headers: request.headers,
          body: raw === '' ? undefined : JSON.parse(raw),
        }
        seen.push(call)
        for (const [place, fault] of faults)
          if (`${call.method} ${url.pathname}`.includes(place) && fault(response, call) !== false)
            return undefined
        return answer(call)(response)
      })
      .catch((error: unknown) => {
        problems.push(error)
        response.destroy()
      })
  })
  return {
    origin,
    /** The variables that point to this server. */
    env: {
      JIRA_BASE_URL: origin,
      JIRA_API_TOKEN: token,
      JIRA_USER_EMAIL: email,
      JIRA_DEPLOYMENT: deployment,
    },
    issues,
    seen,
    /** By a part of `<method> <path>`. */
    faults,
    problems,
    state,
    open(key: string, issue: Partial<StoredIssue> = {}): StoredIssue {
      const stored: StoredIssue = {
        key,
        summary: 'Change the title',
        description: null,
        status: 'To Do',
        assignee: undefined,
        reporter: 'ann',
        files: [],
        ...issue,
        comments: [],
        updated: (state.clock += 1000),
      }
      issues.set(key, stored)
      return stored
    },
    /** Writes a comment of a person; a text becomes a document in Cloud. */
    say: (key: string, by: string | undefined, words: unknown): StoredComment =>
      add(key, by, isCloud && typeof words === 'string' ? toAdf(words) : words),
    /** The webhook of a comment. */
    commented: (key: string, comment: StoredComment) => ({
      timestamp: timestamp(),
      webhookEvent: 'comment_created',
      comment,
      issue: { key, fields: { status: { name: issues.get(key)?.status } } },
    }),
    /** The webhook of a status change. */
    moved: (key: string, by: string) => ({
      timestamp: timestamp(),
      webhookEvent: 'jira:issue_updated',
      user: accountOf(by),
      issue: { key, fields: { status: { name: issues.get(key)?.status } } },
      changelog: { items: [{ field: 'status', fieldId: 'status', toString: issues.get(key)?.status }] },
    }),
    created: (key: string) => ({
      timestamp: timestamp(),
      webhookEvent: 'jira:issue_created',
      user: accountOf('ann'),
      issue: { key, fields: { status: { name: issues.get(key)?.status }, assignee: null } },
    }),
    count: (place: string): number =>
      seen.filter(({ method, url }) => `${method} ${url.pathname}`.includes(place)).length,
    /** The first lines of the comments of a ticket. */
    headlines: (key: string): readonly string[] =>
      (issues.get(key)?.comments ?? []).map(({ body }) => wordsOf(body).split('\n')[0] ?? ''),
    words: (key: string): string =>
      (issues.get(key)?.comments ?? []).map(({ body }) => wordsOf(body)).join('\n'),
  }
}
export type JiraServer = Awaited<ReturnType<typeof startJira>>

const Node = v.looseObject({
  type: v.optional(v.string()),
  text: v.optional(v.string()),
  content: v.optional(v.array(v.unknown())),
  marks: v.optional(
    v.array(v.looseObject({ attrs: v.optional(v.looseObject({ href: v.optional(v.string()) })) })),
  ),
})

/** The text of a body with the addresses of its links, one line per block. */
function wordsOf(body: unknown): string {
  if (typeof body === 'string') return body
  const parsed = v.safeParse(Node, body)
  if (!parsed.success) return ''
  const { type, text: words, content = [], marks = [] } = parsed.output
  const links = marks.map(({ attrs }) => (attrs?.href === undefined ? '' : ` <${attrs.href}>`)).join('')
  return `${words ?? ''}${links}${content.map(wordsOf).join('')}${type === 'paragraph' || type === 'heading' ? '\n' : ''}`
}

/** An error of Jira. */
export const jiraError = (status: number, headers: Readonly<Record<string, string>> = {}): AnswerWriter =>
  answering(status, { errorMessages: [`marker: error ${status} for ${token}`], errors: {} }, headers)
