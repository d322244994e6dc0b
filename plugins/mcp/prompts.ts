import type { ToolSettings } from './settings.ts'

/** A text that people choose in their host, to begin with. */
export interface Prompt {
  readonly name: string
  readonly description: string
  readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[]
  text(given: Readonly<Record<string, string>>, tool: (name: string) => string): string
}

const slug = { name: 'slug', description: 'The address of the page, such as "/about".', required: true }

/** What a person gave, as one line that ends where it ends. */
const quoted = (given: string | undefined): string => JSON.stringify(given ?? '')

/** The prompts of the server. Names of tools are those that the host knows. */
export const prompts: readonly Prompt[] = [
  {
    name: 'edit-page',
    description: 'Edits a page as a request says.',
    arguments: [slug, { name: 'request', description: 'What to change.', required: true }],
    text: ({ slug, request }, tool) =>
      `Edit the page ${quoted(slug)}: ${quoted(request)}. Read ${tool('get-outline')} first, then only the blocks that matter with ${tool('get-block')}, then change them with ${tool('edit-content')}. Tell me what you changed. Do not publish.`,
  },
  {
    name: 'review-draft',
    description: 'Looks over what would be published.',
    arguments: [],
    text: (_, tool) => `Look over my draft before it is published: ${tool('compute-publish-diff')} lists what changed, ${tool('list-checks')} what is wrong. List both briefly, the most important first, and propose what to do. Change nothing.`,
  },
  {
    name: 'translate-page',
    description: 'Translates the texts of a page.',
    arguments: [slug, { name: 'language', description: 'Into which language.', required: true }],
    text: ({ slug, language }, tool) =>
      `Translate the texts of the page ${quoted(slug)} into ${quoted(language)}, block by block with ${tool('get-outline')}, ${tool('get-block')} and ${tool('edit-content')}. Leave links, pictures and ids as they are. Do not publish.`,
  },
]

/** The text of a prompt, or what is wrong with its arguments; `undefined` where there is none of that name. */
export function writePrompt(name: string, given: Readonly<Record<string, string>>, { prefix }: Pick<ToolSettings, 'prefix'>): { readonly text: string } | { readonly problem: string } | undefined {
  const prompt = prompts.find((each) => each.name === name)
  const missing = prompt?.arguments.find(({ name, required }) => required && !given[name])
  if (missing) return { problem: `The prompt needs the argument ${missing.name}.` }
  return prompt && { text: prompt.text(given, (tool) => prefix + tool) }
}
