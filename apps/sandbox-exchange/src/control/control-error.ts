/** What the control API refuses: `{"error": "…"}` with this status. */
export class ControlError extends Error {
  constructor(
    readonly statusCode: 404 | 409 | 422,
    message: string,
  ) {
    super(message);
  }
}
