import type { LoopEvent } from '../loop-types.ts'
import type { ContentRun } from '../port.ts'

/** What people are told of a call of a tool. */
const labels: ReadonlyMap<string, string> = new Map(Object.entries({
  get_page: 'Reading a page',
  list_pages: 'Listing the pages',
  get_block_schema: 'Looking up a block type',
  get_site_config: 'Reading the site settings',
  update_site_config: 'Changing the site settings',
  unsplash_search: 'Looking for photos',
  unsplash_get_by_id: 'Getting a photo',
  image_generate: 'Making an image',
  generate_variations: 'Writing variations',
  create_page: 'Creating a page',
  rename_page: 'Renaming a page',
  remove_page: 'Removing a page',
  move_page: 'Moving a page',
  duplicate_page: 'Copying a page',
  update_page_meta: 'Changing what search engines see',
  add_block_with_content: 'Adding a block',
  remove_block: 'Removing a block',
  move_block: 'Moving a block',
  duplicate_block: 'Copying a block',
}))

const labelOf = (tool: string): string => labels.get(tool) ?? 'Changing the page'

/** Tells those who follow a run what happens in its loop. */
export function follow(event: LoopEvent, { onEvent, at }: ContentRun): void {
  switch (event.type) {
    case 'turn':
      return at?.('thinking', 'Thinking')
    case 'text':
      at?.('responding', 'Writing the answer')
      return onEvent?.({ type: 'summary_token', text: event.text })
    case 'tool_start':
      at?.('tool', labelOf(event.name))
      return onEvent?.({ type: 'status', message: labelOf(event.name) })
    case 'tool_end':
      if (event.isError) onEvent?.({ type: 'tool_error', toolName: event.name.slice(0, 80), error: event.text.slice(0, 240) })
  }
}
