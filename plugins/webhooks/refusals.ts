import { defineRefusal } from '../../kernel/index.ts'

export const deliveryNotFound = defineRefusal({
  status: 404,
  code: 'delivery_not_found',
  reason: () => 'No endpoint has a delivery of this id. GET /webhooks/deliveries lists those that are kept.',
})
