import type { Tag } from './document.ts'

/** The groups of the interface in its order; they are declared even where every route of a group is left out. */
export const tags: readonly Tag[] = [
  { name: 'Sites', description: 'The websites that this service knows.' },
  { name: 'Chat', description: 'Plans typed edits from what a person asks for in words.' },
  { name: 'Sites Agent', description: 'Runs that build or change a whole site.' },
  { name: 'Draft', description: 'The content being edited, before anyone else sees it.' },
  { name: 'Publish', description: 'Shows what a publish would change, makes it real and tells how it went.' },
  { name: 'History', description: 'The way back and forth through the changes of a draft.' },
  { name: 'Auth', description: 'Tells who may come in, and trades a password for a token.' },
  { name: 'Media', description: 'Images and attachments: uploaded, generated, found elsewhere.' },
  { name: 'Health', description: 'Whether the service runs, what it is set up for, and what it offers.' },
  { name: 'Operations', description: 'Typed edits, applied directly.' },
  { name: 'Checks', description: 'Finds what should be mended in a draft before it is published.' },
  { name: 'Restore', description: 'Brings back content as it was published earlier.' },
  { name: 'Sessions', description: 'The editing sessions of a site and the state each is in.' },
  { name: 'Preview', description: 'Pictures of pages as a visitor would see them.' },
  { name: 'Telemetry', description: 'Measurements of what the service did, and feedback on it.' },
  { name: 'Agent', description: 'Runs of an agent that edits drafts, and the tools that agents may use.' },
  { name: 'Jira', description: 'Content changes that begin as a ticket.' },
]

/** The groups of the interface, then those that only routes of in-house plugins name. */
export function tagsOf(routes: readonly { readonly plugin: string; readonly tag: string }[]): readonly Tag[] {
  const known = new Set(tags.map(({ name }) => name))
  const plugins = Map.groupBy(routes.filter(({ tag }) => !known.has(tag)), ({ tag }) => tag)
  const own = [...plugins].map(([name, group]) => ({ name, description: `Routes of ${list(new Set(group.map(({ plugin }) => plugin)))}.` }))
  return [...tags, ...own]
}

const list = (plugins: ReadonlySet<string>): string => `the ${plugins.size === 1 ? 'plugin' : 'plugins'} ${[...plugins].join(', ')}`
