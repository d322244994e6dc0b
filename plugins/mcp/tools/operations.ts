import * as v from 'valibot'
import { addBlock } from '../../content/operations/add-block.ts'
import { addItem } from '../../content/operations/add-item.ts'
import { duplicateBlock } from '../../content/operations/duplicate-block.ts'
import { moveBlock } from '../../content/operations/move-block.ts'
import { moveItem } from '../../content/operations/move-item.ts'
import { removeBlock } from '../../content/operations/remove-block.ts'
import { removeItem } from '../../content/operations/remove-item.ts'
import { updateItem } from '../../content/operations/update-item.ts'
import { updateProps } from '../../content/operations/update-props.ts'
import { optionalBaseVersion } from '../arguments.ts'
import { requestTool, type Tool } from '../tool.ts'

interface OperationParts {
  readonly name: string
  readonly summary: string
  readonly schema: v.ObjectSchema<v.ObjectEntries, v.ErrorMessage<v.ObjectIssue> | undefined>
}

/** Makes a tool of one kind of operation: its arguments are the fields of that. */
function operationTool(name: string, operation: OperationParts): Tool {
  const { op: _, ...entries } = operation.schema.entries
  const removes = operation.name.startsWith('remove_')
  return requestTool({
    name,
    description: operation.summary,
    input: v.object({ ...entries, baseVersion: optionalBaseVersion }),
    ...(removes && { destructive: true, needs: 'delete' }),
    route: 'POST /ops',
    request: ({ baseVersion, ...fields }) => ({ json: { ops: [{ op: operation.name, ...fields }] }, baseVersion }),
  })
}

/** Tools whose arguments are those of an operation. */
export const operationTools: readonly Tool[] = [
  operationTool('add-block', addBlock),
  operationTool('update-block-props', updateProps),
  operationTool('remove-block', removeBlock),
  operationTool('move-block', moveBlock),
  operationTool('duplicate-block', duplicateBlock),
  operationTool('add-list-item', addItem),
  operationTool('update-list-item', updateItem),
  operationTool('remove-list-item', removeItem),
  operationTool('move-list-item', moveItem),
]
