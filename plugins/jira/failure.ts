/** Jira gave no usable answer. The message names the remedy; `said` is for the log and for records, cut and without secrets. */
export class JiraFailure extends Error {
  override readonly name = 'JiraFailure'
  readonly status: number
  readonly said: string

  constructor(status: number, said: string) {
    super(remedyOf(status))
    this.status = status
    this.said = said
  }
}

function remedyOf(status: number): string {
  if (status === 401) return 'Jira did not accept the credential. Check JIRA_USER_EMAIL and JIRA_API_TOKEN.'
  if (status === 403) return 'Jira does not allow this with the account of JIRA_API_TOKEN. Check what it may do in the project.'
  if (status === 404) return 'Jira knows no such ticket, or its account may not see it. Check the key of the ticket and JIRA_BASE_URL.'
  if (status === 429) return 'Jira takes no more requests for now. Try again in a few minutes.'
  if (status >= 500) return 'Jira has a fault. Try again in a few minutes.'
  if (status >= 300 && status < 400) return 'Jira answered with a redirect, which is not followed. Check JIRA_BASE_URL.'
  return `Jira did not accept the request and answered ${status}. Check JIRA_BASE_URL and JIRA_DEPLOYMENT.`
}
