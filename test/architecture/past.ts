/** How many imports of tests may reach past the ports. */
export const mostPast = 84

const faults = 'its port gives no way to cause the faults and races that are tried'
const cases = 'one rule with more cases than requests could try'
const left = 'the listeners that are left on a signal are counted'
const expires =
  'what expires, and the most that is stored, are tried without the half hour and the routes around it'
const settings = 'what each value of the settings becomes is not seen from outside'

/**
 * What tests import from the inside of a plugin, past its port and its door for tests, with the reason; a
 * folder ends with a slash. Before a line is added: can a request, the port or a door for tests show the same?
 */
export const past: Readonly<Record<string, string>> = {
  'plugins/agents/loop/loop.ts':
    'the agent of tickets is tried with the loop alone, without its settings and routes',
  'plugins/agents/loop/run-streams.ts': 'the folders and processes of a run carry its short name',
  'plugins/chat/rules/forms.ts': 'the examples of the forms are the cases of their test',
  'plugins/chat/rules/planner.ts': 'thousands of messages are planned without a draft and a chat around them',
  'plugins/chat/streams/readers.ts': left,
  'plugins/chat/streams/rows.ts': left,
  'plugins/chat/variations/variation-store.ts': expires,
  'plugins/checks/dismissals/service.ts': 'its limit is tried with a smaller number',
  'plugins/demo-site/render/drawings.ts': 'a page may have no other drawing',
  'plugins/demo-site/render/markdown.ts': cases,
  'plugins/demo-site/render/url.ts': cases,
  'plugins/draft/history/discard.ts': 'a commit among others at once needs the answer that the route gives',
  'plugins/events/service.ts': left,
  'plugins/mcp/catalogue.ts': 'the list of tools is compared with what is tried of them',
  'plugins/mcp/host.ts': 'the type of a host that a test replaces',
  'plugins/mcp/index.ts':
    'the answers of a host that a test replaces are made from the schemas of its routes',
  'plugins/mcp/send.ts': faults,
  'plugins/media/generation/conversations.ts': expires,
  'plugins/media/generation/references.ts': cases,
  'plugins/media/unsplash/source.ts': cases,
  'plugins/media/usage/find.ts': cases,
  'plugins/media/usage/sweep.ts': faults,
  'plugins/models/anthropic/to-request.ts': 'what each name of a model means is decided before a request',
  'plugins/models/connection.ts': cases,
  'plugins/models/openai/client.ts': cases,
  'plugins/models/openai/settings.ts': settings,
  'plugins/publish/assets.ts': cases,
  'plugins/publish/complete-content.ts': 'whether content is sent in pieces is not seen from outside',
  'plugins/publish/log.ts': 'it is read after the service has ended',
  'plugins/publish/schemas.ts': 'the answer of a route is parsed by its own schema',
  'plugins/site/browser/': 'tabs that share a stream are tried without browsers, and without their locks',
  'plugins/sites/framing.ts': cases,
  'plugins/studio/app/': 'a program of its own, whose stores and rules are tried without a browser',
  'plugins/studio/built.ts': 'the figures are of the files that are sent',
  'plugins/telemetry/review.ts': cases,
  'plugins/telemetry/schemas.ts': 'the rows are parsed by their own schema',
  'plugins/telemetry/settings.ts': settings,
  'plugins/webhooks/outbox.ts': 'two processes deliver from it, with one clock of the test',
  'plugins/webhooks/settings.ts': 'the outbox is tried with the defaults of its settings',
}
