/** An error of a form that is about none of its fields; shown by its buttons. */
export function FormProblem({ problem }: { problem: string | null | undefined }) {
  return (
    problem && (
      <p className="field-error" role="alert">
        {problem}
      </p>
    )
  );
}
