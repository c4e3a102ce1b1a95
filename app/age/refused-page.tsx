/** The page behind the age gate after a refusal; the gate itself shows the reason. */
export default function RefusedPage() {
  return (
    <div className="error wrap">
      <h1>Age verification</h1>
      <p className="lede">This shop is for adults 21 and older.</p>
    </div>
  );
}
