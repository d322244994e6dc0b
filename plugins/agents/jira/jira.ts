import * as v from 'valibot'
import { isSameStatus } from './routing.ts'
import type { Rest } from './rest.ts'
import { Comments, IssuePage, Issue, JiraComment, JiraPerson, Transitions } from './schemas.ts'
import type { JiraConnection } from './settings.ts'

/** A ticket in a search result. */
export type FoundIssue = v.InferOutput<typeof IssuePage>['issues'][number]

/** Reads and writes tickets in Jira. Every method throws like {@link Rest}. */
export type Jira = ReturnType<typeof createJira>

const fields = 'summary,description,status,labels,attachment,reporter,assignee,creator,comment'
const commentsAtOnce = 100
const mostComments = 1_000
const issuesAtOnce = 20
const mostPages = 10

/** Creates the calls of the REST API: version 3 for Cloud, version 2 for Server. */
export function createJira(rest: Rest, { deployment }: Pick<JiraConnection, 'deployment'>) {
  const isCloud = deployment === 'cloud'
  const at = (key: string, rest = ''): string => `/issue/${encodeURIComponent(key)}${rest}`

  return {
    myself: (): Promise<JiraPerson> => rest.read(JiraPerson, '/myself'),
    issue: (key: string): Promise<Issue> => rest.read(Issue, at(key), { fields }),
    /** Returns the comments of a ticket, oldest first; at most the newest 1,000. */
    async comments(key: string): Promise<readonly JiraComment[]> {
      const read = (startAt: number) =>
        rest.read(Comments, at(key, '/comment'), {
          startAt: String(startAt),
          maxResults: String(commentsAtOnce),
          orderBy: 'created',
        })
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
    /** Finds at most 200 tickets by JQL. */
    async search(jql: string): Promise<readonly FoundIssue[]> {
      const issues: FoundIssue[] = []
      let token: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const place = isCloud
          ? { ...(token !== undefined && { nextPageToken: token }) }
          : { startAt: String(issues.length) }
        const found = await rest.read(IssuePage, isCloud ? '/search/jql' : '/search', {
          jql,
          maxResults: String(issuesAtOnce),
          fields: 'status,updated',
          ...place,
        })
        issues.push(...found.issues)
        token = found.nextPageToken
        const isLast = isCloud
          ? found.isLast === true || token === undefined
          : issues.length >= (found.total ?? 0)
        if (isLast || found.issues.length === 0) break
      }
      return issues
    },
    /** Writes a comment in light markdown; returns it as stored by Jira. */
    async comment(key: string, markdown: string): Promise<JiraComment> {
      // The Markdown parser is slow to load, and a service without tickets never needs it.
      const { toAdf, toWiki } = await import('./to-adf.ts')
      const document = toAdf(markdown)
      return rest.send(JiraComment, 'POST', at(key, '/comment'), {
        body: isCloud ? document : toWiki(document),
      })
    },
    /** Moves a ticket to a status; returns false if no transition leads there. */
    async move(key: string, status: string): Promise<boolean> {
      const { transitions } = await rest.read(Transitions, at(key, '/transitions'))
      const found =
        transitions.find(({ to }) => to && isSameStatus(to.name, status)) ??
        transitions.find(({ name }) => isSameStatus(name, status))
      if (!found) return false
      await rest.send(v.unknown(), 'POST', at(key, '/transitions'), { transition: { id: found.id } })
      return true
    },
    async assign(key: string, { id }: JiraPerson): Promise<void> {
      await rest.send(v.unknown(), 'PUT', at(key, '/assignee'), isCloud ? { accountId: id } : { name: id })
    },
  }
}
