import * as v from 'valibot'
import { isSameStatus } from './routing.ts'
import type { Rest } from './rest.ts'
import { Comments, Found, Issue, JiraComment, Person, Transitions } from './schemas.ts'
import type { Connection } from './settings.ts'
import { toAdf, toWiki } from './to-adf.ts'

/** A ticket as a search tells it. */
export type FoundIssue = v.InferOutput<typeof Found>['issues'][number]

/** Reads and writes tickets in Jira. Every method throws as {@link Rest} does. */
export interface Jira {
  myself(): Promise<Person>
  issue(key: string): Promise<Issue>
  /** All comments of a ticket, oldest first; the newest 1,000 of more. */
  comments(key: string): Promise<readonly JiraComment[]>
  /** Tickets by JQL; 200 at most. */
  search(jql: string): Promise<readonly FoundIssue[]>
  /** Writes a comment in light markdown; gives it as Jira stored it. */
  comment(key: string, markdown: string): Promise<JiraComment>
  /** Moves a ticket to a status; says whether there is a way from where it is. */
  move(key: string, status: string): Promise<boolean>
  assign(key: string, person: Person): Promise<void>
}

const fields = 'summary,description,status,labels,attachment,reporter,assignee,creator,comment'
const commentsAtOnce = 100
const mostComments = 1_000
const issuesAtOnce = 20
const mostPages = 10

/** Makes the calls of the REST API: version 3 of Cloud, version 2 of Server. */
export function createJira(rest: Rest, { deployment }: Pick<Connection, 'deployment'>): Jira {
  const isCloud = deployment === 'cloud'
  const at = (key: string, rest = ''): string => `/issue/${encodeURIComponent(key)}${rest}`

  return {
    myself: () => rest.read(Person, '/myself'),
    issue: (key) => rest.read(Issue, at(key), { fields }),
    async comments(key) {
      const read = (startAt: number) => rest.read(Comments, at(key, '/comment'), { startAt: String(startAt), maxResults: String(commentsAtOnce), orderBy: 'created' })
      const first = await read(0)
      const all = [...first.comments]
      let start = first.total > mostComments ? first.total - mostComments : all.length
      for (let more = all.length; more > 0 && start < first.total; start += more) {
        const { comments } = await read(start)
        all.push(...comments)
        more = comments.length
      }
      return [...new Map(all.map((comment) => [comment.id, comment])).values()]
    },
    async search(jql) {
      const issues: FoundIssue[] = []
      let token: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const place = isCloud ? { ...(token !== undefined && { nextPageToken: token }) } : { startAt: String(issues.length) }
        const found = await rest.read(Found, isCloud ? '/search/jql' : '/search', { jql, maxResults: String(issuesAtOnce), fields: 'status,updated', ...place })
        issues.push(...found.issues)
        token = found.nextPageToken
        const isLast = isCloud ? found.isLast === true || token === undefined : issues.length >= (found.total ?? 0)
        if (isLast || found.issues.length === 0) break
      }
      return issues
    },
    comment(key, markdown) {
      const document = toAdf(markdown)
      return rest.send(JiraComment, 'POST', at(key, '/comment'), { body: isCloud ? document : toWiki(document) })
    },
    async move(key, status) {
      const { transitions } = await rest.read(Transitions, at(key, '/transitions'))
      const found = transitions.find(({ to }) => to && isSameStatus(to.name, status)) ?? transitions.find(({ name }) => isSameStatus(name, status))
      if (!found) return false
      await rest.send(v.unknown(), 'POST', at(key, '/transitions'), { transition: { id: found.id } })
      return true
    },
    async assign(key, { id }) {
      await rest.send(v.unknown(), 'PUT', at(key, '/assignee'), isCloud ? { accountId: id } : { name: id })
    },
  }
}
