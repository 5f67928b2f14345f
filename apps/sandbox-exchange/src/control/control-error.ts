/** An error of the control API: the response is `{"error": "…"}` with this status. */
export class ControlError extends Error {
  constructor(
    readonly statusCode: 403 | 404 | 409 | 415 | 422,
    message: string,
  ) {
    super(message);
  }
}
